import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from './server-process.ts'

/** Where deliveries go. */
export interface WebhookReceiver {
  readonly url: string
}

/** The deliveries since the last GET of `/reset`, as a GET of `/count` returns them. */
export interface Arrived {
  readonly count: number
  /** From the first of them to the last. */
  readonly ms: number
}

/** A receiver that confirms intent checks and responds to every delivery with 204. */
await serve<object, WebhookReceiver>(async () => {
  let times: number[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver')
    if (pathname === '/count') {
      const arrived: Arrived = { count: times.length, ms: (times.at(-1) ?? 0) - (times[0] ?? 0) }
      response.end(JSON.stringify(arrived))
      return
    }
    if (pathname === '/reset') times = []
    if (request.method === 'GET') {
      response.end(searchParams.get('hub.challenge') ?? '')
      return
    }
    request.resume().once('end', () => {
      times.push(performance.now())
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
