import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Checks } from './checks.ts'

const RECONNECT_MS = 300
/** One delivery in so many is refused, so that it comes again. */
const REFUSED_ONE_IN = 500

/** A stream of one client, which connects again after its last event. */
export interface StreamClient {
  readonly ids: readonly string[]
  readonly connections: () => number
  stop(): void
}

/** Follows a stream through one instance after the other. */
export function followStream(urls: readonly string[], path: string, checks: Checks): StreamClient {
  const ids: string[] = []
  let connections = 0
  let isStopped = false
  let current: { destroy(): unknown } | undefined

  function readFrame(frame: string): void {
    const id = /^id: ?(.+)$/m.exec(frame)?.[1]
    const event = /^event: ?(.+)$/m.exec(frame)?.[1]
    if (event === 'reset') checks.violate('streams', `a stream was reset: ${frame}`)
    else if (id !== undefined && event !== undefined) ids.push(id)
  }

  async function connect(url: string): Promise<void> {
    const last = ids.at(-1)
    const request = get(url + path, { agent: false, headers: last === undefined ? {} : { 'last-event-id': last } })
    current = request
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) {
      request.destroy()
      return
    }
    connections += 1
    response.setEncoding('utf8')
    let rest = ''
    for await (const chunk of response) {
      const frames = (rest + chunk).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) readFrame(frame)
    }
  }

  void (async () => {
    for (let turn = Math.floor(Math.random() * urls.length); !isStopped; turn++) {
      // The connection ends with its instance.
      await connect(urls[turn % urls.length] ?? '').catch(() => undefined)
      if (!isStopped) await sleep(RECONNECT_MS)
    }
  })()
  return {
    ids,
    connections: () => connections,
    stop() {
      isStopped = true
      current?.destroy()
    },
  }
}

interface Envelope {
  readonly id: string
  readonly type: string
  readonly data: { readonly page_id?: number }
}

/** A receiver of webhooks, which refuses a few deliveries. */
export async function startReceiver(checks: Checks) {
  /** By the id of the event: the ids of its deliveries, and the page it is about. */
  const events = new Map<string, { readonly webhookIds: Set<string>; readonly page: number | undefined }>()
  let deliveries = 0
  let refused = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(new URL(request.url ?? '/', 'http://receiver').searchParams.get('hub.challenge') ?? '')
      return
    }
    text(request).then(
      (body) => {
        deliveries += 1
        if (deliveries % REFUSED_ONE_IN === 0) {
          refused += 1
          response.writeHead(503).end()
          return
        }
        const { id, data } = JSON.parse(body) as Envelope
        const event = events.get(id) ?? { webhookIds: new Set(), page: data.page_id }
        events.set(id, event)
        event.webhookIds.add(String(request.headers['webhook-id']))
        if (event.webhookIds.size > 1) checks.violate('webhooks', `${id}: ${[...event.webhookIds].join(', ')}`)
        response.writeHead(204).end()
      },
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/hook`,
    deliveries: () => deliveries,
    refused: () => refused,
    /** How many events arrived. */
    arrived: () => events.size,
    /** The pages that an event arrived about. */
    pages: () => new Set([...events.values()].map(({ page }) => page)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
