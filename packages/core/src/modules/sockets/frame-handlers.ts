import type { z } from 'zod'
import type { Caller } from '../../model/caller.ts'
import type { CloseReason, FrameType, ServerFrame } from './frames.ts'

/** The sockets of the service: `/eep/pulse` and `/ws/messages`. */
export type SocketName = 'pulse' | 'messages'

/** A connection as handlers see it. */
export interface SocketClient {
  readonly id: string
  readonly socket: SocketName
  /** The caller of the connection; another object once it has shown another token. */
  readonly caller: Caller
  /** The profile that acts, from `X-Active-Profile-Id`; undefined for the default of the account. */
  readonly activeProfileId: number | undefined
  /** The event after which events that belong to the whole socket continue; undefined for those from now on. */
  readonly lastEventId: string | undefined
  /** Sends a frame. Does nothing once the connection is closing. */
  send(frame: ServerFrame): void
  /** Sends a frame that can wait; a promise while the client is busy. */
  deliver(frame: ServerFrame): void | Promise<void>
  close(reason: CloseReason): void
}

/** What a module does with one kind of frames. */
export interface FrameHandler<Data extends z.ZodType = z.ZodType> {
  readonly socket: SocketName
  /** `system` belongs to the service. */
  readonly type: Exclude<FrameType, 'system'>
  readonly action: string
  /** The `data` of the frame; what does not fit is answered with an error. */
  readonly data: Data
  /** The scope that an API key needs. */
  readonly scope?: string | undefined
  /**
   * Handles a frame and returns the answer. Frames of a connection are handled one after another. An EepError becomes a frame
   * `system`/`error` with its code.
   */
  handle(data: z.output<Data>, client: SocketClient): Promise<ServerFrame | undefined>
  /** Errors that also close the connection, by their code. */
  readonly closes?: Readonly<Record<string, CloseReason>> | undefined
}

/** Called for each new connection; returns what to do when it ends. */
export type OnOpen = (client: SocketClient) => (() => void) | undefined

/** The frames that modules handle. */
export function createFrameHandlers() {
  const handlers = new Map<string, FrameHandler>()
  const openings: { readonly socket: SocketName; readonly onOpen: OnOpen }[] = []
  const keyOf = (socket: SocketName, type: FrameType, action: string) => `${socket} ${type} ${action}`

  return {
    /**
     * Adds a handler.
     *
     * @throws TypeError when the frame has one
     */
    handle<Data extends z.ZodType>(handler: FrameHandler<Data>): void {
      const key = keyOf(handler.socket, handler.type, handler.action)
      if (handlers.has(key)) throw new TypeError(`Two modules handle the frame ${key}`)
      // `handle` only ever gets what its own schema returned.
      handlers.set(key, handler as unknown as FrameHandler)
    },
    /** Calls a function for each connection of a socket that opens from now on. */
    onOpen(socket: SocketName, onOpen: OnOpen): void {
      openings.push({ socket, onOpen })
    },
    find: (socket: SocketName, type: FrameType, action: string) => handlers.get(keyOf(socket, type, action)),
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
