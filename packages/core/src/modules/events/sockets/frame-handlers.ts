import type { z } from 'zod'
import type { Caller } from '../../../model/caller.ts'
import type { SignalEvent } from '../signals/index.ts'
import type { CloseReason, FrameType, ServerFrame } from './frames.ts'

/** The sockets of the service: `/eep/pulse` and `/ws/messages`. */
export type SocketName = 'pulse' | 'messages'

/** A connection in frame handlers. */
export interface SocketClient {
  readonly id: string
  readonly socket: SocketName
  /** The caller of the connection. Replaced when the client sends another token. */
  readonly caller: Caller
  /** The acting profile from `X-Active-Profile-Id`; undefined for the default of the account. */
  readonly activeProfileId: number | undefined
  /** The id after which events of the whole socket continue; undefined to start with new events. */
  readonly lastEventId: string | undefined
  /** Sends a frame. Does nothing once the connection is closing. */
  send(frame: ServerFrame): void
  /** Sends a frame that can wait. Returns a promise while the client is busy. */
  deliver(frame: ServerFrame): void | Promise<void>
  /** Whether one of the client's subscriptions delivers an event. */
  isFollowing(event: SignalEvent): boolean
  close(reason: CloseReason): void
}

/** The handler of one kind of frames. */
export interface FrameHandler<Data extends z.ZodType = z.ZodType> {
  readonly socket: SocketName
  /** Not `system`, which is reserved for the service. */
  readonly type: Exclude<FrameType, 'system'>
  readonly action: string
  /** The schema of `data`. Other data results in an error response. */
  readonly data: Data
  /** The scope that API keys need. */
  readonly scope?: string | undefined
  /**
   * Handles a frame and returns the response. Frames of a connection are handled one after another. An EepError becomes a frame
   * `system`/`error` with its code.
   */
  handle(data: z.output<Data>, client: SocketClient): Promise<ServerFrame | undefined>
  /** Errors that also close the connection, by their code. */
  readonly closes?: Readonly<Record<string, CloseReason>> | undefined
}

/** Called for each new connection. Returns a function to call when it ends. */
export type OnOpen = (client: SocketClient) => (() => void) | undefined

/** The frames that modules handle. */
export function createFrameHandlers() {
  const handlers = new Map<string, FrameHandler>()
  const openings: { readonly socket: SocketName; readonly onOpen: OnOpen }[] = []
  const frameKey = (socket: SocketName, type: FrameType, action: string) => `${socket} ${type} ${action}`

  return {
    /**
     * Adds a handler.
     *
     * @throws TypeError when the frame has one
     */
    handle<Data extends z.ZodType>(handler: FrameHandler<Data>): void {
      const key = frameKey(handler.socket, handler.type, handler.action)
      if (handlers.has(key)) throw new TypeError(`Two modules handle the frame ${key}`)
      // `handle` only receives values that its schema returned.
      handlers.set(key, handler as unknown as FrameHandler)
    },
    /** Calls a function for each new connection of a socket. */
    onOpen(socket: SocketName, onOpen: OnOpen): void {
      openings.push({ socket, onOpen })
    },
    find: (socket: SocketName, type: FrameType, action: string) => handlers.get(frameKey(socket, type, action)),
    /** Notifies modules of a new connection. Returns a function that notifies them of its end. */
    open(client: SocketClient): () => void {
      const endings = openings.flatMap(({ socket, onOpen }) => (socket === client.socket ? (onOpen(client) ?? []) : []))
      return () => {
        for (const end of endings) end()
      }
    },
  }
}

/** The frames that modules handle. */
export type FrameHandlers = ReturnType<typeof createFrameHandlers>
