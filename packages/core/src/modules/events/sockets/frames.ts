import { z } from 'zod'
import type { EepError } from '../../../kernel/errors.ts'

/** Close codes of EEP and RFC 6455. */
export const CLOSE = {
  goingAway: { code: 1001, reason: 'going_away' },
  binary: { code: 1003, reason: 'binary_frame' },
  tooManyFrames: { code: 1008, reason: 'too_many_frames' },
  tooManyConnections: { code: 1008, reason: 'too_many_streams' },
  failed: { code: 1011, reason: 'internal_error' },
  slow: { code: 4000, reason: 'slow_consumer' },
  sessionExpired: { code: 4001, reason: 'session_expired' },
  version: { code: 4002, reason: 'unsupported_version' },
  illegalMove: { code: 4008, reason: 'invalid_transition' },
  replayWindow: { code: 4009, reason: 'replay_window_exceeded' },
} as const

/** Why the service closes a connection. */
export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE]

/** The types of frames (EEP 0.1, ws-message). */
const FRAME_TYPES = ['entity', 'a2a', 'system', 'chat', 'commerce'] as const
export type FrameType = (typeof FRAME_TYPES)[number]

/** The version of the frames. */
export const VERSION = 1

const clientFrame = z.object({
  v: z.literal(VERSION),
  type: z.enum(FRAME_TYPES),
  action: z.string().min(1).max(64),
  seq: z.int().min(0).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** A frame of a client. */
export type ClientFrame = z.output<typeof clientFrame>

/** A parsed text of a client. */
export type ReadFrame =
  | { readonly kind: 'frame'; readonly frame: ClientFrame }
  | { readonly kind: 'unsupported_version' }
  | { readonly kind: 'invalid'; readonly message: string }

/** Parses a frame of a client. */
export function readFrame(text: string): ReadFrame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'invalid', message: 'A frame must be a JSON object' }
  }
  const { success, data: frame, error } = clientFrame.safeParse(value)
  if (success) return { kind: 'frame', frame }
  if (isOfOtherVersion(value)) return { kind: 'unsupported_version' }
  const [issue] = error.issues
  return { kind: 'invalid', message: `${issue?.path.join('.') || 'frame'}: ${issue?.message}` }
}

const isOfOtherVersion = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'v' in value && Number.isInteger(value.v) && value.v !== VERSION

/** A frame of the service. */
export interface ServerFrame {
  readonly type: FrameType
  readonly action: string
  readonly seq?: number | undefined
  readonly data?: object | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** Serializes a frame of the service. */
export const writeFrame = ({ type, action, seq, data, error }: ServerFrame): string =>
  JSON.stringify({ v: VERSION, type, action, seq, data, error })

/** Converts an error to a frame; `to` is the frame that it answers. */
export const errorFrame = (
  { code, message, details }: Pick<EepError, 'code' | 'message'> & { readonly details?: unknown },
  to?: ClientFrame | undefined,
): ServerFrame => ({
  type: 'system',
  action: 'error',
  error: { code, message },
  data: { ...(details === undefined ? {} : { details }), ...(to && { in_reply_to: referenceOf(to) }) },
})

const referenceOf = ({ type, action, seq }: ClientFrame) => ({ type, action, seq })

export const sourceDid = z
  .string()
  .max(512)
  .regex(/^did:[a-z0-9]+:\S+$/, 'A DID')
const eventId = z.string().min(1).max(128)
const seq = z.int().min(0)

/** The schemas of `data` in frames of type `system`. */
export const systemData = {
  subscribe: z.object({
    source_did: sourceDid,
    types: z.array(z.string().max(256)).max(50).optional(),
    last_event_id: eventId.optional(),
  }),
  unsubscribe: z.object({ source_did: sourceDid }),
  replay: z
    .object({ source_did: sourceDid.optional(), from_seq: seq.optional(), last_event_id: eventId.optional() })
    .refine(
      (data) => data.from_seq !== undefined || data.last_event_id !== undefined,
      'Either from_seq or last_event_id is required',
    ),
  gap_detected: z.object({ source_did: sourceDid.optional(), expected_seq: seq, received_seq: seq.optional() }),
  auth_refresh: z.object({ token: z.string().min(1).max(8_192) }),
} as const
