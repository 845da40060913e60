import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requireDelivery } from './eep-frames.ts'

/** A request that a receiver of webhooks got. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type Answer = (received: Received, response: ServerResponse) => unknown

/**
 * A receiver of webhooks: confirms intent checks, and answers deliveries. Default: 204. Every delivery is checked against the
 * schemas of EEP; after one that they do not allow, `envelopes` and `close` throw.
 */
export async function createReceiver() {
  const received: Received[] = []
  const checks: URLSearchParams[] = []
  /** A delivery that EEP does not allow. */
  let failure: unknown
  const requireDeliveries = () => {
    if (failure !== undefined) throw failure
  }
  let answer: Answer = (_received, response) => response.writeHead(204).end()
  let confirm = (query: URLSearchParams, response: ServerResponse): unknown => response.end(query.get('hub.challenge'))
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const { searchParams } = new URL(request.url ?? '/', 'http://receiver')
      checks.push(searchParams)
      confirm(searchParams, response)
      return
    }
    const delivery = { headers: request.headers, text: await textOf(request) }
    received.push(delivery)
    try {
      requireDelivery(delivery)
    } catch (error) {
      failure ??= error
    }
    answer(delivery, response)
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/hook`,
    received,
    checks,
    /** The envelopes that it got, in order. */
    envelopes() {
      requireDeliveries()
      return received.flatMap(({ text }) => JSON.parse(text))
    },
    answerWith(next: Answer) {
      answer = next
    },
    confirmWith(next: typeof confirm) {
      confirm = next
    },
    async close(): Promise<void> {
      await new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
      requireDeliveries()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof createReceiver>>

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
