import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { TestApp } from './app.ts'
import { requireEepFrame } from './eep-frames.ts'

/** A frame of the service. */
export interface Frame {
  readonly v: number
  readonly type: string
  readonly action: string
  readonly seq?: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly data?: any
  readonly error?: { readonly code: string; readonly message: string }
}

/** How a connection ended. */
export interface Closed {
  readonly code: number
  readonly reason: string
}

/** An answer to an upgrade that was refused. */
export class Refused extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly headers: NodeJS.Dict<string | string[]>

  constructor(status: number, code: string | undefined, headers: NodeJS.Dict<string | string[]>) {
    super(`refused with ${status} ${code}`)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

interface Opened {
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  /** Called for each frame of the service, before anything waits for it. */
  readonly onFrame?: (frame: Frame) => void
}

/** Where a server listens; it does from the first call on. */
export async function addressOf(app: TestApp): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return `127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/**
 * Connects with the official client; throws {@link Refused} when the upgrade is not accepted. Every frame is checked against
 * the schemas of EEP.
 */
export async function openSocket(app: TestApp, path: string, { headers = {}, protocols = [], onFrame }: Opened = {}) {
  const socket = new WebSocket(`ws://${await addressOf(app)}${path}`, [...protocols], { headers })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const each of [...waiting]) each()
  }
  let closed: Closed | undefined
  /** A frame that EEP does not allow. */
  let failure: unknown
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    onFrame?.(frame)
    try {
      requireEepFrame(frame)
      frames.push(frame)
    } catch (error) {
      failure = error
    }
    wake()
  })
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
    wake()
  })
  const upgrade: { headers?: NodeJS.Dict<string | string[]> } = {}
  socket.on('upgrade', (response) => {
    upgrade.headers = response.headers
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => {
        const code = /"code":"([a-z_]+)"/.exec(body)?.[1]
        reject(new Refused(response.statusCode ?? 0, code, response.headers))
      })
    })
    socket.once('error', reject)
  })
  socket.on('error', () => {})

  async function until<Result>(find: () => Result | undefined): Promise<Result> {
    for (;;) {
      if (failure !== undefined) throw failure
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        const stop = () => {
          waiting.delete(stop)
          resolve()
        }
        waiting.add(stop)
      })
    }
  }

  return {
    socket,
    frames,
    headers: upgrade.headers ?? {},
    /** Sends a frame. */
    send(type: string, action: string, data?: object, seq?: number): void {
      socket.send(JSON.stringify({ v: 1, type, action, data, seq }))
    },
    /** Sends a text as it is. */
    sendText: (text: string) => socket.send(text),
    /** The first frame of this action that was not taken yet; throws when the connection ends before it. */
    next: (action: string, where: (frame: Frame) => boolean = () => true) =>
      until(() => {
        const at = frames.findIndex((frame) => frame.action === action && where(frame))
        if (at >= 0) return frames.splice(at, 1)[0]
        if (closed) throw new Error(`closed with ${closed.code} ${closed.reason} before ${action}`)
        return undefined
      }),
    /** How the connection ended, once it has. */
    closed: () => until(() => closed),
    async close(): Promise<void> {
      if (closed) return
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** A connected client. */
export type TestSocket = Awaited<ReturnType<typeof openSocket>>
