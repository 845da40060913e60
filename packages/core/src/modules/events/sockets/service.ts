import { isEepError } from '../../../kernel/errors.ts'
import { stagger } from '../../../kernel/stagger.ts'
import { createTaskLoop } from '../../../kernel/task-loop.ts'
import type { Caller } from '../../../model/caller.ts'
import type { SignalService } from '../signals/index.ts'
import { type Connection, type ConnectionDeps, createConnection, type NewConnection } from './connection.ts'
import type { SocketName } from './frame-handlers.ts'
import { CLOSE, type CloseReason } from './frames.ts'

/** Statistics of the sockets of this instance since the start. */
export interface SocketStats {
  /** Open connections by socket. */
  readonly connections: Readonly<Record<SocketName, number>>
  /** Subscriptions to sources on all connections. */
  readonly subscriptions: number
  readonly opened: number
  readonly framesReceived: number
  readonly framesSent: number
  /** Frames that were answered with an error. */
  readonly framesRefused: number
}

/** An open connection of an account. */
export interface Presence {
  readonly id: string
  readonly socket: SocketName
  readonly since: Date
  /** The time of the last frame of the client, at most about two ping intervals ago. */
  readonly seenAt: Date
}

export interface SocketDeps extends ConnectionDeps {
  readonly signals: ConnectionDeps['signals'] & Pick<SignalService, 'takeStream'>
}

const TICKS_A_PING = 4
const MAX_TICK_MS = 1_000

/** The connections of this instance. */
export function createSocketService(deps: SocketDeps) {
  const { settings, signals } = deps
  const connections = new Set<Connection>()
  const byAccount = new Map<string, Set<Connection>>()
  const ended = { opened: 0, framesReceived: 0, framesSent: 0, framesRefused: 0 }
  let isStopping = false

  const ofAccount = (id: string): ReadonlySet<Connection> => byAccount.get(id) ?? new Set()

  const tickMs = Math.min(MAX_TICK_MS, settings.pingIntervalMs / TICKS_A_PING)
  const loop = createTaskLoop(
    async () => {
      for (const connection of connections) connection.tick()
      return tickMs
    },
    { firstMs: tickMs },
  )

  function remove(connection: Connection, accountId: string): void {
    connections.delete(connection)
    const others = byAccount.get(accountId)
    others?.delete(connection)
    if (others?.size === 0) byAccount.delete(accountId)
    const { received, sent, invalid } = connection.counts
    ended.framesReceived += received
    ended.framesSent += sent
    ended.framesRefused += invalid
  }

  const close = (connection: Connection) => connection.close(CLOSE.goingAway)

  /** Reserves one of the streams of an account. Others may have connected since `admit`. */
  function takePlace(caller: Caller): (() => void) | CloseReason {
    try {
      return signals.takeStream(caller)
    } catch (error) {
      if (isEepError(error)) return CLOSE.tooManyConnections
      throw error
    }
  }

  return {
    /** @throws `too_many_streams` when the account has reached the limit of streams and sockets of its plan */
    admit(caller: Caller): void {
      const leave = signals.takeStream(caller)
      leave()
    },

    /** Serves a connection until it ends. */
    open(connection: Omit<NewConnection, 'onClose'>): void {
      const { caller, wire } = connection
      const accountId = caller.account.id
      const leave = isStopping ? CLOSE.goingAway : takePlace(caller)
      if (typeof leave !== 'function') {
        wire.close(leave.code, leave.reason)
        return
      }
      const onClose = () => {
        remove(opened, accountId)
        leave()
      }
      const opened: Connection = createConnection(deps, { ...connection, onClose })
      ended.opened += 1
      connections.add(opened)
      const siblings = byAccount.get(accountId) ?? new Set()
      byAccount.set(accountId, siblings.add(opened))
    },

    presence: (accountId: string): readonly Presence[] =>
      [...ofAccount(accountId)].map(({ id, socket, openedAt, seenAt }) => ({
        id,
        socket,
        since: openedAt,
        seenAt: seenAt(),
      })),

    stats(): SocketStats {
      const open = [...connections]
      const sum = (count: (connection: Connection) => number) =>
        open.reduce((total, connection) => total + count(connection), 0)
      return {
        connections: {
          pulse: open.filter(({ socket }) => socket === 'pulse').length,
          messages: open.filter(({ socket }) => socket === 'messages').length,
        },
        subscriptions: sum(({ subscriptions }) => subscriptions()),
        opened: ended.opened,
        framesReceived: ended.framesReceived + sum(({ counts }) => counts.received),
        framesSent: ended.framesSent + sum(({ counts }) => counts.sent),
        framesRefused: ended.framesRefused + sum(({ counts }) => counts.invalid),
      }
    },

    /** Closes every connection with 1001 within 2 seconds, and each one that is opened from now on. */
    drain(): void {
      isStopping = true
      stagger(connections, close)
    },

    start: loop.start,
    async stop(): Promise<void> {
      isStopping = true
      for (const connection of connections) close(connection)
      await loop.stop()
    },
  }
}

/** The connections of this instance. */
export type SocketService = ReturnType<typeof createSocketService>
