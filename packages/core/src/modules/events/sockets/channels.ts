import type { Caller } from '../../../model/caller.ts'
import {
  createHeldEvents,
  decodeEventId,
  encodeEventId,
  matches,
  type SignalEvent,
  type SignalService,
  type Subscription,
} from '../signals/index.ts'
import { notSubscribed, tooManySubscriptions, unknownSeq } from './errors.ts'
import { writeEventFrame } from './event-frames.ts'
import { CLOSE, type CloseReason, errorFrame, type ServerFrame } from './frames.ts'

/** The part of a connection that channels use. */
export interface ChannelDeps {
  readonly signals: Pick<SignalService, 'readFilter' | 'subscribe'>
  readonly caller: () => Caller
  send(frame: ServerFrame): void
  /** Sends a text. Returns a promise when the client is busy. */
  write(text: string): void | Promise<void>
  close(reason: CloseReason): void
}

const MAX_CHANNELS = 50
/** The number of past frames that a client can request. */
const REPLAY_WINDOW = 1_000

/** The events of one source on one connection. */
interface Channel {
  readonly sourceDid: string
  readonly filter: Awaited<ReturnType<SignalService['readFilter']>>
  /** The number of the last frame. */
  seq: number
  /** The ids of the events of the last frames; the last one has the number `seq`. */
  readonly ids: string[]
  subscription: Subscription | undefined
}

/** Returns the id that precedes an event. */
function idBefore(id: string): string {
  const cursor = decodeEventId(id)
  return cursor === undefined ? id : encodeEventId(cursor.replace(/\d+$/, (last) => String(BigInt(last) - 1n)))
}

/** The subscriptions of a connection. Frames of each are numbered from 1; all share the limit of held events of one stream. */
export function createChannels({ signals, caller, send, write, close }: ChannelDeps) {
  const channels = new Map<string, Channel>()
  const held = createHeldEvents()
  let isClosed = false
  const reader = {
    kind: 'caller',
    get caller() {
      return caller()
    },
  } as const

  function follow(channel: Channel, after: string | undefined, onLive: () => void): void {
    channel.subscription?.close()
    channel.subscription = signals.subscribe({
      filter: channel.filter,
      reader,
      after,
      held,
      onLive,
      onEvent: (event) => sendEvent(channel, event),
      onReset({ reason, oldestEventId }) {
        const message = 'The events after this one are no longer kept'
        const details = { reason, oldest_event_id: oldestEventId, source_did: channel.sourceDid }
        send(errorFrame({ code: 'replay_window_exceeded', message, details }))
        close(CLOSE.replayWindow)
      },
      onEnd: (reason) => close({ slow: CLOSE.slow, stopping: CLOSE.goingAway, failed: CLOSE.failed }[reason]),
    })
  }

  function sendEvent(channel: Channel, event: SignalEvent): void | Promise<void> {
    channel.seq += 1
    channel.ids.push(event.envelope.id)
    if (channel.ids.length > REPLAY_WINDOW) channel.ids.shift()
    return write(writeEventFrame(event, channel.seq))
  }

  /** Returns the channels of a frame: the named one, or all. */
  function named(sourceDid: string | undefined): readonly Channel[] {
    if (sourceDid === undefined) return [...channels.values()]
    const channel = channels.get(sourceDid)
    if (!channel) throw notSubscribed()
    return [channel]
  }

  /** Sends frames of a channel again, from a number on. Closes the connection when they are too old. */
  function replaySeq(channel: Channel, fromSeq: number): void {
    const first = Math.max(fromSeq, 1)
    if (first > channel.seq + 1) throw unknownSeq({ details: { last_seq: channel.seq } })
    const oldest = channel.seq - channel.ids.length + 1
    if (first < oldest) {
      close(CLOSE.replayWindow)
      return
    }
    const from = channel.ids[first - oldest]
    if (from === undefined) {
      complete(channel, first)
      return
    }
    channel.ids.length = first - oldest
    channel.seq = first - 1
    follow(channel, idBefore(from), () => complete(channel, first))
  }

  function complete({ sourceDid, seq }: Channel, fromSeq: number): void {
    send({
      type: 'system',
      action: 'replay_complete',
      data: { source_did: sourceDid, from_seq: fromSeq, last_seq: seq },
    })
  }

  return {
    /** The number of sources. */
    size: () => channels.size,

    /** Whether a subscription delivers an event. */
    cover: (event: SignalEvent): boolean => [...channels.values()].some(({ filter }) => matches(event, filter)),

    /**
     * Subscribes to a source, or changes the types of a subscription. Frames are numbered from 1 again.
     *
     * @throws `validation_failed` for an unknown source or type, `too_many_subscriptions`
     */
    async subscribe(sourceDid: string, types: readonly string[] | undefined, after: string | undefined): Promise<void> {
      if (!channels.has(sourceDid) && channels.size >= MAX_CHANNELS) throw tooManySubscriptions()
      const paths = { types: '/data/types', sources: '/data/source_did' }
      const filter = await signals.readFilter({ types, sources: [sourceDid] }, caller(), paths)
      if (isClosed) return
      channels.get(sourceDid)?.subscription?.close()
      const channel: Channel = { sourceDid, filter, seq: 0, ids: [], subscription: undefined }
      channels.set(sourceDid, channel)
      send({ type: 'system', action: 'subscribed', data: { source_did: sourceDid, types, seq: 0 } })
      follow(channel, after, () => {
        if (after !== undefined) complete(channel, 1)
      })
    },

    /** @throws `not_subscribed` */
    unsubscribe(sourceDid: string): void {
      for (const { subscription } of named(sourceDid)) subscription?.close()
      channels.delete(sourceDid)
      send({ type: 'system', action: 'unsubscribed', data: { source_did: sourceDid } })
    },

    /**
     * Sends events again: from the number of a frame of this connection, or those after an event.
     *
     * @throws `not_subscribed`, `unknown_seq`
     */
    replay(
      sourceDid: string | undefined,
      from: { readonly seq?: number | undefined; readonly id?: string | undefined },
    ) {
      for (const channel of named(sourceDid)) {
        if (from.id === undefined) replaySeq(channel, from.seq ?? 1)
        else {
          const first = channel.seq + 1
          follow(channel, from.id, () => complete(channel, first))
        }
      }
    },

    close(): void {
      isClosed = true
      for (const { subscription } of channels.values()) subscription?.close()
      channels.clear()
    },
  }
}
