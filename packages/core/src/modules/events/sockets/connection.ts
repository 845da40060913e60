import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { SECOND_MS } from '../../../kernel/durations.ts'
import { type EepError, insufficientScope, internalError, isEepError } from '../../../kernel/errors.ts'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ClientSocket } from '../../../ports/client-socket.ts'
import { type CredentialEnd, mayTheSame, type SignalService } from '../signals/index.ts'
import { createChannels } from './channels.ts'
import { invalidFrame, refreshRefused, unsupportedFrame } from './errors.ts'
import type { FrameHandlers, SocketClient, SocketName } from './frame-handlers.ts'
import {
  CLOSE,
  type ClientFrame,
  type CloseReason,
  errorFrame,
  readFrame,
  type ServerFrame,
  systemData,
  writeFrame,
} from './frames.ts'
import { createLease } from './lease.ts'

/** The limits and intervals of connections, from the options. */
export interface ConnectionSettings {
  readonly pingIntervalMs: number
  readonly authWarningSeconds: number
  readonly authRefreshSeconds: number
  readonly maxFrameBytes: number
  readonly framesPerSecond: number
}

export interface ConnectionDeps {
  readonly clock: Clock
  readonly settings: ConnectionSettings
  readonly handlers: FrameHandlers
  readonly signals: Pick<SignalService, 'readFilter' | 'subscribe' | 'watchCredential'>
  readonly serviceDid: string
  /** The DID of the person of an account. */
  readonly didOfAccount: (account: Pick<Account, 'username'>) => string
  /** Counts a frame that causes work like a request of its caller. Throws over the limit. */
  countWork(caller: Caller): void | Promise<void>
  readonly onError: (error: unknown) => void
}

/** A client that has just connected. */
export interface NewConnection {
  readonly socket: SocketName
  readonly wire: ClientSocket
  readonly caller: Caller
  /** The agent that the client named when it connected. */
  readonly agentDid?: string | undefined
  readonly activeProfileId: number | undefined
  readonly lastEventId?: string | undefined
  /** Authenticates the caller again, with the same credentials or another token. Throws when they are not valid. */
  authenticate(token?: string): Promise<Caller>
  /** Called once when the connection has ended. */
  onClose(): void
}

/** Statistics of one connection. */
export interface FrameCounts {
  received: number
  sent: number
  invalid: number
}

const MAX_PENDING_FRAMES = 100
/** A client with this many unread bytes is busy. */
const BUSY_BYTES = 262_144
/** A client with more unread bytes is disconnected. */
const MAX_BUFFERED_BYTES = 1_048_576
const TERMINATE_AFTER_MS = 2_000
/** The number of ping intervals that a client may be silent. */
const SILENT_INTERVALS = 2

/** One client on a socket: handles its frames one after another, and closes when its credentials become invalid. */
export function createConnection(deps: ConnectionDeps, connection: NewConnection) {
  const { clock, settings, handlers, signals, countWork, onError } = deps
  const { socket, wire, agentDid, activeProfileId, lastEventId, authenticate, onClose } = connection
  const id = randomUUID()
  const openedAt = clock()
  const counts: FrameCounts = { received: 0, sent: 0, invalid: 0 }
  const lease = createLease(settings, clock)
  let caller = connection.caller
  let isClosing = false
  let seenAtMs = Date.now()
  let pingedAtMs = seenAtMs
  let secondBegan = seenAtMs
  let framesInSecond = 0
  let pending = 0
  let lastSeq: number | undefined
  let work: Promise<void> = Promise.resolve()
  /** The latest token that the client has sent since it connected. */
  let shownToken: string | undefined

  function write(text: string): void | Promise<void> {
    if (isClosing) return
    // Events are held for a busy client; answers to its frames are not.
    if (wire.bufferedAmount > MAX_BUFFERED_BYTES) {
      close(CLOSE.slow)
      return
    }
    counts.sent += 1
    if (wire.bufferedAmount < BUSY_BYTES) {
      wire.send(text)
      return
    }
    return new Promise((resolve) => wire.send(text, () => resolve()))
  }
  /** When the credentials of the caller expire; null for those that do not. */
  const expiresAt = (): string | null => lease.endOf(caller)?.toISOString() ?? null
  const send = (frame: ServerFrame): void => void write(writeFrame(frame))

  function close({ code, reason }: CloseReason): void {
    if (isClosing) return
    isClosing = true
    release()
    wire.close(code, reason)
    // A client that does not read its frames would not read a close frame either.
    setTimeout(() => wire.terminate(), TERMINATE_AFTER_MS).unref()
  }

  function release(): void {
    credential.stop()
    channels.close()
  }

  const channels = createChannels({ signals, caller: () => caller, send, write, close })

  const credential = signals.watchCredential({
    caller: () => caller,
    authenticate: () => authenticate(shownToken),
    onConfirmed(confirmed) {
      // Its subscriptions were made for what the credential could do, so the client connects again.
      if (mayTheSame(confirmed, caller)) caller = confirmed
      else end('revoked')
    },
    onEnded: end,
  })

  const client: SocketClient = {
    id,
    socket,
    get caller() {
      return caller
    },
    activeProfileId,
    lastEventId,
    send,
    deliver: (frame) => write(writeFrame(frame)),
    isFollowing: channels.cover,
    close,
  }

  /** Whether the client exceeds the frame limit. */
  function isFlooding(now: number): boolean {
    if (now - secondBegan >= SECOND_MS) {
      secondBegan = now
      framesInSecond = 0
    }
    framesInSecond += 1
    return framesInSecond > settings.framesPerSecond || pending >= MAX_PENDING_FRAMES
  }

  /** Counts a ping or pong of the protocol. The library answers each ping, also when the client reads no answers. */
  function receiveControl(now: number): void {
    if (isClosing) return
    if (isFlooding(now)) close(CLOSE.tooManyFrames)
    else if (wire.bufferedAmount > MAX_BUFFERED_BYTES) close(CLOSE.slow)
  }

  function receive(data: Buffer, isBinary: boolean): void {
    if (isClosing) return
    const now = Date.now()
    seenAtMs = now
    counts.received += 1
    if (isFlooding(now)) close(CLOSE.tooManyFrames)
    else if (isBinary) close(CLOSE.binary)
    else {
      pending += 1
      work = work
        .then(() => answer(data.toString('utf8')))
        .finally(() => {
          pending -= 1
        })
    }
  }

  async function answer(text: string): Promise<void> {
    if (isClosing) return
    const read = readFrame(text)
    if (read.kind === 'unsupported_version') {
      close(CLOSE.version)
      return
    }
    if (read.kind === 'invalid') {
      counts.invalid += 1
      send(errorFrame(invalidFrame({ message: read.message })))
      return
    }
    const { frame } = read
    try {
      noteSeq(frame)
      if (frame.type === 'system') await system(frame)
      else await delegate(frame)
    } catch (error) {
      refuse(error, frame)
    }
  }

  function refuse(error: unknown, frame: ClientFrame): void {
    if (!isEepError(error) || error.status >= 500) onError(error)
    const shown: EepError = isEepError(error) ? error : internalError()
    counts.invalid += 1
    send(errorFrame(shown, frame))
    const reason = handlers.find(socket, frame.type, frame.action)?.closes?.[shown.code]
    if (reason) close(reason)
  }

  /** Clients may number their frames. The service reports missing numbers. */
  function noteSeq({ seq }: ClientFrame): void {
    if (seq === undefined) return
    if (lastSeq !== undefined && seq > lastSeq + 1) {
      const data = { expected_seq: lastSeq + 1, received_seq: seq }
      send({ type: 'system', action: 'gap_detected', data })
    }
    lastSeq = seq
  }

  async function system(frame: ClientFrame): Promise<void> {
    const { action } = frame
    if (action === 'pong') return
    if (action === 'ping') {
      send({ type: 'system', action: 'pong', data: { time: clock().toISOString() } })
      return
    }
    if (action === 'auth_refresh') return refresh(dataOf(frame, systemData.auth_refresh).token)
    if (socket === 'pulse') return follow(frame)
    throw unsupportedFrame()
  }

  async function follow(frame: ClientFrame): Promise<void> {
    switch (frame.action) {
      case 'subscribe': {
        const { source_did, types, last_event_id } = dataOf(frame, systemData.subscribe)
        await countWork(caller)
        return channels.subscribe(source_did, types, last_event_id)
      }
      case 'unsubscribe':
        return channels.unsubscribe(dataOf(frame, systemData.unsubscribe).source_did)
      case 'replay': {
        const { source_did, from_seq, last_event_id } = dataOf(frame, systemData.replay)
        await countWork(caller)
        return channels.replay(source_did, { seq: from_seq, id: last_event_id })
      }
      case 'gap_detected': {
        const { source_did, expected_seq } = dataOf(frame, systemData.gap_detected)
        await countWork(caller)
        return channels.replay(source_did, { seq: expected_seq })
      }
      default:
        throw unsupportedFrame()
    }
  }

  /** Replaces the credentials by another token of the same account. */
  async function refresh(token: string): Promise<void> {
    await countWork(caller)
    const next = await authenticate(token)
    if (next.account.id !== caller.account.id) throw refreshRefused()
    caller = next
    shownToken = token
    lease.renew()
    // The new credential may have been revoked during its authentication.
    credential.check()
    send({ type: 'system', action: 'auth_refreshed', data: { expires_at: expiresAt() } })
  }

  /** Passes a frame to the module that handles it. */
  async function delegate(frame: ClientFrame): Promise<void> {
    const handler = handlers.find(socket, frame.type, frame.action)
    if (!handler) throw unsupportedFrame()
    const { scope } = handler
    if (scope !== undefined && caller.scopes !== 'all' && !caller.scopes.includes(scope)) {
      throw insufficientScope({ details: { required: scope } })
    }
    const data = dataOf(frame, handler.data)
    await countWork(caller)
    const reply = await handler.handle(data, client)
    if (reply) send(reply)
  }

  function end(reason: CredentialEnd): void {
    if (reason === 'expired') send({ type: 'system', action: 'auth_expired', data: { reason } })
    else send({ type: 'system', action: 'session_revoked', data: revocation() })
    close(CLOSE.sessionExpired)
  }

  /** The data of the frame `session_revoked` (EEP 0.1, ws-message). */
  const revocation = () => ({
    session_id: caller.sessionId ?? (caller.keyId === undefined ? id : `key_${caller.keyId}`),
    agent_did: agentDid ?? deps.didOfAccount(caller.account),
    publisher_did: deps.serviceDid,
    reason: 'operator_request',
    revoked_at: clock().toISOString(),
    re_auth_required: true,
  })

  /** Does the due work: a ping, a warning, or closing the connection. */
  function tick(): void {
    if (isClosing) return
    const now = Date.now()
    const { pingIntervalMs } = settings
    if (now - seenAtMs > pingIntervalMs * SILENT_INTERVALS + SECOND_MS) {
      wire.terminate()
      return
    }
    if (now - pingedAtMs >= pingIntervalMs) {
      pingedAtMs = now
      wire.ping()
      send({ type: 'system', action: 'ping', data: { time: clock().toISOString() } })
    }
    const due = lease.due(caller)
    if (due.kind === 'warn') send({ type: 'system', action: 'auth_expiring', data: { expires_in: due.expiresIn } })
    if (due.kind === 'end') end('expired')
  }

  wire.on('message', receive)
  wire.on('ping', () => receiveControl(Date.now()))
  wire.on('pong', () => {
    seenAtMs = Date.now()
    receiveControl(seenAtMs)
  })
  const leave = handlers.open(client)
  wire.on('close', () => {
    isClosing = true
    release()
    leave()
    onClose()
  })
  send({
    type: 'system',
    action: 'connected',
    data: {
      connection_id: id,
      expires_at: expiresAt(),
      ping_interval_ms: settings.pingIntervalMs,
      max_frame_bytes: settings.maxFrameBytes,
      frames_per_second: settings.framesPerSecond,
    },
  })

  return {
    id,
    socket,
    openedAt,
    counts,
    get caller() {
      return caller
    },
    seenAt: () => new Date(seenAtMs),
    subscriptions: channels.size,
    tick,
    close,
  }
}

/** One client on a socket. */
export type Connection = ReturnType<typeof createConnection>

/** Parses the `data` of a frame. Throws `validation_failed` with the issues. */
function dataOf<Data extends z.ZodType>({ data }: ClientFrame, schema: Data): z.output<Data> {
  const read = schema.safeParse(data ?? {})
  if (!read.success) throw invalidInput(read.error, 'data')
  return read.data
}
