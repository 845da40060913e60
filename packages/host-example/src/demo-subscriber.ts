import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { DEMO_OWNER } from './seed.ts'

/** A received event with its signed headers. */
interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type DemoReceiver = Awaited<ReturnType<typeof startDemoReceiver>>

/** A local webhook receiver that confirms intent checks and keeps deliveries. */
export async function startDemoReceiver() {
  const deliveries: Delivery[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.end(new URL(request.url ?? '/', 'http://receiver').searchParams.get('hub.challenge'))
      return
    }
    deliveries.push({ headers: request.headers as Record<string, string>, body: await text(request) })
    response.writeHead(204).end()
    server.emit('delivery')
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/sales`,
    /** Returns the first delivery, verified by the official client of Standard Webhooks. Waits up to a minute. */
    async first(secret: string): Promise<unknown> {
      if (deliveries.length === 0) await once(server, 'delivery', { signal: AbortSignal.timeout(60_000) })
      const [{ headers, body } = { headers: {}, body: '' }] = deliveries
      return new Webhook(secret).verify(body, { ...headers })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Signs in the owner of the demo with the link in an email. The host writes emails to its data directory. */
export async function signInDemoOwner(host: string, dataDir: string, password: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(host + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${path} returned ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  await post('/auth/forgot-password', { email: DEMO_OWNER })
  await post('/auth/reset-password', { token: await emailedToken(join(dataDir, 'mail')), password })
  const { token } = await post('/auth/login', { email: DEMO_OWNER, password })
  return String(token)
}

/** Returns the token in the newest password email. Waits up to a minute. */
async function emailedToken(directory: string): Promise<string> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    const names = await readdir(directory).catch(() => [])
    for (const name of names
      .filter((each) => each.endsWith('.eml'))
      .sort()
      .reverse()) {
      const email = (await readFile(join(directory, name), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
      const token = /reset[^\s?]*\?token=([\w.-]+)/.exec(email)?.[1]
      if (token) return token
    }
    await sleep(50)
  }
  throw new Error('The email with the link did not arrive')
}
