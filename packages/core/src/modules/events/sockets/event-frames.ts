import type { Envelope, SignalEvent } from '../signals/index.ts'
import type { FrameType } from './frames.ts'

/** The part of a frame that depends on its event. */
interface EventFrame {
  readonly type: FrameType
  readonly action: string
  readonly data: string
}

/** The action of the frame of a move, by the type of its event. */
export const COMMERCE_ACTIONS: Readonly<Record<string, string>> = {
  'commerce.offer': 'offer',
  'commerce.counter': 'counter',
  'commerce.accepted': 'accept',
  'commerce.rejected': 'reject',
  'commerce.invoiced': 'invoice',
  'commerce.paid': 'receipt',
  'commerce.completed': 'complete',
  'commerce.disputed': 'dispute',
}

const ENDS: ReadonlySet<string> = new Set(['deleted', 'removed', 'delisted', 'unfollowed'])
const BEGINS: ReadonlySet<string> = new Set(['created', 'published', 'listed', 'posted', 'followed'])

function entityAction(type: string): string {
  const verb = type.slice(type.lastIndexOf('.') + 1)
  if (ENDS.has(verb)) return 'delete'
  return BEGINS.has(verb) ? 'publish' : 'update'
}

function frameOf({ type, envelope, json }: SignalEvent): EventFrame {
  const source = `"source_did":${JSON.stringify(envelope.source)}`
  const deal = COMMERCE_ACTIONS[type]
  if (deal === undefined) return { type: 'entity', action: entityAction(type), data: `{${source},"event":${json}}` }
  return { type: 'commerce', action: deal, data: `{${dealOf(envelope)}${source},"event":${json}}` }
}

const dealOf = ({ data }: Envelope) =>
  ['negotiation_id', 'state']
    .filter((member) => data[member] !== undefined)
    .map((member) => `"${member}":${JSON.stringify(data[member])},`)
    .join('')

/** Shared by all connections that receive an event. */
const frames = new WeakMap<SignalEvent, EventFrame>()

/** Serializes the frame of an event: `entity` or `commerce`, with the envelope of the event as `data.event`. */
export function writeEventFrame(event: SignalEvent, seq: number): string {
  const known = frames.get(event)
  const frame = known ?? frameOf(event)
  if (!known) frames.set(event, frame)
  return `{"v":1,"type":"${frame.type}","action":"${frame.action}","seq":${seq},"data":${frame.data}}`
}
