import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Person } from './accounts.ts'
import type { TestApp } from './app.ts'
import { untilJob } from './jobs.ts'

/** Answers a request of a site under test; false leaves it to the defaults. */
export type SiteHandler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A site on a free port of this machine. Without an answer of its handler, every path but `/` and `/robots.txt` is 404. */
export async function openSite(handle: SiteHandler = () => false) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    if (handle(request, response) !== false) return
    if (request.url === '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\n')
    else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Site</h1>')
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requests that arrived, in order. */
    requests,
    paths: () => requests.map(({ url }) => url),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** One check of a report. */
export interface WireCheck {
  readonly id: string
  readonly category: string
  readonly status: string
  readonly detail: string
  readonly evidence: string | null
  readonly fix: string | null
  readonly doc: string
}

/** Requests the scan of a site, and waits for its job. */
export async function scanned(app: TestApp, person: Person, url: string) {
  const asked = await person.post('/scanner', { url })
  if (asked.statusCode !== 202) throw new Error(asked.body)
  return untilJob(app, asked.json().id, person)
}
