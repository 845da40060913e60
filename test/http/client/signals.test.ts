import { accessToken, createClient, EepApiError, type Signal, type SignalReset } from '@eep/client'
import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createWriter } from '../../support/content.ts'
import { listen } from '../../support/streams.ts'
import { soon } from '../../support/wait.ts'

const service = await createTestApp({ signals: { anonymousStreams: 30 } })
afterAll(() => service.close())
const baseUrl = await listen(service.app)
const ada = await createWriter(service.app, 'ada')

/** Follows in the background, over connections that break after some events. */
function following(options: object = {}, eventsPerConnection = Number.POSITIVE_INFINITY) {
  const seen: (Signal | SignalReset)[] = []
  const connections: Request[] = []
  const abort = new AbortController()
  const client = createClient({
    baseUrl,
    fetch: async (request) => {
      connections.push(request.clone())
      const response = await fetch(request)
      let left = eventsPerConnection
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk)
          left -= new TextDecoder().decode(chunk).split('data:').length - 1
          if (left <= 0) controller.terminate()
        },
      })
      // A reconnection of the service waits three seconds; a test does not.
      const quick = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) =>
          controller.enqueue(
            new TextEncoder().encode(new TextDecoder().decode(chunk).replace('retry: 3000', 'retry: 10')),
          ),
      })
      const body = response.body?.pipeThrough(quick).pipeThrough(cut) ?? null
      return new Response(body, response)
    },
    ...options,
  })
  const ended = (async () => {
    for await (const signal of client.signals.follow({
      types: ['content.*'],
      sources: ['u/ada'],
      signal: abort.signal,
    }))
      seen.push(signal)
  })()
  return { seen, connections, abort, ended }
}
const titlesOf = (seen: readonly (Signal | SignalReset)[]) =>
  seen.map((signal) => ('source' in signal ? signal.data.title : signal.type))

it('delivers events as they happen, and ends when its signal aborts', async () => {
  const { seen, connections, abort, ended } = following()
  await soon(() => expect(connections).toHaveLength(1))
  await soon(async () => {
    if (seen.length === 0) await ada.newPage({ title: 'First' })
    expect(seen.length).toBeGreaterThan(0)
  })
  expect(seen[0]).toMatchObject({ type: 'content.published', data: { title: 'First' } })
  abort.abort()
  await ended
})

it('continues after the last event when the connection ends, without a gap or a repetition', async () => {
  const { seen, connections, abort, ended } = following({}, 1)
  await soon(async () => {
    if (seen.length === 0) await ada.newPage({ title: 'Before' })
    expect(seen.length).toBeGreaterThan(0)
  })
  const first = seen.length
  for (const title of ['One', 'Two', 'Three']) await ada.newPage({ title })
  await soon(() => expect(titlesOf(seen).slice(-3)).toEqual(['One', 'Two', 'Three']))
  const ids = seen.flatMap((signal) => ('id' in signal ? [signal.id] : []))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(first + 3)
  expect(connections.at(-1)?.headers.get('last-event-id')).toBe(ids.at(-1) ?? ids.at(-2))
  abort.abort()
  await ended
})

it('throws when the service refuses the stream', async () => {
  const client = createClient({ baseUrl, auth: accessToken('wrong') })
  const stream = client.signals.follow({ private: true })
  const error = await stream.next().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(EepApiError)
  expect(error).toMatchObject({ status: 401 })
})
