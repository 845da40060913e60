import { errorOf, sleep } from './transport.ts'

/** An event of the service (CloudEvents 1.0). */
export interface Signal {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly subject?: string
  readonly time: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Events were missed: the service has deleted those after the last event. Read followed resources again. */
export interface SignalReset {
  readonly type: 'reset'
  readonly data: { readonly reason: string; readonly oldest_event_id?: string | null }
}

/** Which events to follow. */
export interface FollowOptions {
  /** Continues after this event. Default: begins with the next event. */
  readonly lastEventId?: string | undefined
  /** Types or patterns such as `content.*`. Default: all. */
  readonly types?: readonly string[] | undefined
  /** DIDs of profiles, or names such as `u/ada`. Default: all. */
  readonly sources?: readonly string[] | undefined
  /** Also the events of the account and its teams, which need a session or a key with `read:events`. Default: false. */
  readonly private?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** One frame of a stream of server-sent events. */
interface Frame {
  readonly event: string
  readonly data: string
  readonly id: string | undefined
  readonly retryMs: number | undefined
}

/** Reads the frames of a stream (HTML, 9.2.6). A frame that the end of the stream cuts off is left out. */
async function* framesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let buffer = ''
  let [event, data, id, retryMs] = [
    '',
    [] as string[],
    undefined as string | undefined,
    undefined as number | undefined,
  ]
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      buffer += value
      // A carriage return at the end may be half of a line break.
      const lines = buffer.split(/\r\n|\n|\r(?!$)/)
      buffer = lines.pop() ?? ''
      for (const line of lines) {
        const [, field = '', text = ''] = /^([^:]*)(?::\s?(.*))?$/s.exec(line) ?? []
        if (line === '') {
          if (data.length > 0 || retryMs !== undefined) yield { event, data: data.join('\n'), id, retryMs }
          ;[event, data, retryMs] = ['', [], undefined]
        } else if (field === 'event') event = text
        else if (field === 'data') data.push(text)
        else if (field === 'id' && !text.includes('\0')) id = text
        else if (field === 'retry' && /^\d+$/.test(text)) retryMs = Number(text)
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const MAX_WAIT_MS = 60_000

/**
 * Follows events of the service, and continues after the last one when the connection ends. Waits longer after each failed connection, up to a
 * minute. Ends when the signal aborts.
 *
 * @throws EepApiError for a status that waiting does not change, such as 401 and 400
 */
export async function* follow(
  send: (request: Request) => Promise<Response>,
  baseUrl: string,
  { lastEventId, types, sources, private: isPrivate = false, signal }: FollowOptions = {},
): AsyncGenerator<Signal | SignalReset, void, undefined> {
  const url = new URL(`${baseUrl}${isPrivate ? '/eep/stream' : '/stream/signals'}`)
  if (types) url.searchParams.set('types', types.join())
  if (sources) url.searchParams.set('source', sources.join())
  let last = lastEventId
  let retryMs = 3_000
  let failures = 0
  while (!signal?.aborted) {
    let askedMs = 0
    try {
      const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
      const response = await send(new Request(url, { headers, ...(signal && { signal }) }))
      if (!response.ok || !response.body) {
        const error = await errorOf(response)
        if (![429, 500, 502, 503, 504].includes(response.status)) throw error
        failures += 1
        askedMs = error.retryAfterMs ?? 0
      } else {
        for await (const { event, data, id, retryMs: wantedMs } of framesOf(response.body)) {
          failures = 0
          if (wantedMs !== undefined) retryMs = wantedMs
          if (data === '') continue
          if (id !== undefined) last = id
          if (event === 'reset') yield { type: 'reset', data: JSON.parse(data) }
          else yield JSON.parse(data) as Signal
        }
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof TypeError)) throw error
      failures += 1
    }
    const backoffMs = Math.min(MAX_WAIT_MS, retryMs * 2 ** Math.max(0, failures - 1))
    await sleep(Math.max(askedMs, backoffMs), signal).catch(() => undefined)
  }
}
