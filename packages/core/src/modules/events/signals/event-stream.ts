import type { ServerResponse } from 'node:http'
import type { Worker } from '../../../framework/module/define-module.ts'
import type { SignalEvent } from './envelope.ts'
import type { SignalReset } from './log-pages.ts'

const HEARTBEAT_MS = 15_000
const RETRY_MS = 3_000
/** The maximum time that a client may go without reading. */
const STUCK_MS = 60_000
/** The maximum time to send the last frame of a stream. */
const LAST_FRAME_MS = 5_000

const OPENING = `retry: ${RETRY_MS}\n: connected\n\n`

const frames = new WeakMap<SignalEvent, Buffer>()

/** The frame of an event, created once for all clients. */
function frameOf(signal: SignalEvent): Buffer {
  const known = frames.get(signal)
  if (known) return known
  const { id, type } = signal.envelope
  const frame = Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${signal.json}\n\n`)
  frames.set(signal, frame)
  return frame
}

/** A response with server-sent events. */
export interface EventStream {
  /** Sends an event. Returns a promise when the client is busy, which resolves when it can receive more. */
  send(signal: SignalEvent): Promise<void> | undefined
  /** Sends a `reset`: the client cannot continue after the event that it named. */
  reset(reset: SignalReset): void
  /** Ends the response with a comment, or with an event that gives the reason. */
  end(last: { readonly comment: string } | { readonly event: string }): void
}

interface Open {
  readonly response: ServerResponse
  busySince: number | undefined
}

/** Marks a client as busy until it has read what was sent. */
function waitForDrain(stream: Open): Promise<void> {
  const { response } = stream
  stream.busySince ??= Date.now()
  const { promise, resolve } = Promise.withResolvers<void>()
  const goOn = () => {
    stream.busySince = undefined
    response.off('drain', goOn).off('close', goOn)
    resolve()
  }
  response.once('drain', goOn).once('close', goOn)
  return promise
}

/** Creates the event streams of this instance, with the heartbeats that keep them open. */
export function createEventStreams() {
  const open = new Set<Open>()
  let timer: NodeJS.Timeout | undefined

  function beat(): void {
    const now = Date.now()
    const comment = `: heartbeat ${new Date(now).toISOString()}\n\n`
    for (const each of open) {
      if (each.busySince === undefined) {
        if (!each.response.write(comment)) void waitForDrain(each)
      }
      // The client disappeared without closing the connection, or reads nothing.
      else if (now - each.busySince > STUCK_MS) each.response.destroy()
    }
  }

  const worker: Worker = {
    start() {
      timer ??= setInterval(beat, HEARTBEAT_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
    },
  }

  return {
    worker,

    /** Starts the body of a response whose head was written. `onClose` is called once when it has ended for any reason. */
    open(response: ServerResponse, onClose: () => void): EventStream {
      const stream: Open = { response, busySince: undefined }
      open.add(stream)
      response.once('close', () => {
        open.delete(stream)
        onClose()
      })
      response.write(OPENING)

      return {
        send(signal) {
          return response.write(frameOf(signal)) ? undefined : waitForDrain(stream)
        },
        reset({ reason, oldestEventId }) {
          const data = JSON.stringify({ reason, oldest_event_id: oldestEventId })
          response.write(`event: reset\ndata: ${data}\n\n`)
        },
        end(last) {
          open.delete(stream)
          response.end('event' in last ? `event: ${last.event}\ndata: {}\n\n` : `: ${last.comment}\n\n`)
          setTimeout(() => response.destroy(), LAST_FRAME_MS).unref()
        },
      }
    },
  }
}

export type EventStreams = ReturnType<typeof createEventStreams>
