import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onPglite } from '../support/database.ts'
import { type Environment, startHost } from '../support/host.ts'
import { type HostData, openHostData } from '../support/host-data.ts'
import { freePort } from '../support/ports.ts'
import { findReverseProxy, type ProxyName, type ReverseProxy } from '../support/reverse-proxies.ts'

type Host = Awaited<ReturnType<typeof startHost>>

/** Two intervals of the health checks in the Caddyfile. */
const NEXT_AFTER_MS = 2_000
const READERS = 6
const WRITERS = 3
/** Ends the writers where the restarts take long. */
const PAGES_OF_A_WRITER = 60

const PRODUCTION: Environment = {
  NODE_ENV: 'production',
  EEP_SECRET: 'a secret of thirty-two characters or more',
  EEP_SIGNING_KEY: JSON.stringify({
    kty: 'OKP',
    crv: 'Ed25519',
    // The key of RFC 8037, appendix A.
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  }),
  EEP_BASE_URL: 'https://profiles.example.com',
  EEP_TRUST_PROXY: 'loopback',
  EEP_RATE_LIMIT_MULTIPLIER: '100000',
  EEP_PAYER_PROOF: 'signed',
}

interface Outcome {
  readonly status: number | 'no response'
  readonly body: string
}

const sent = (url: string, init?: RequestInit): Promise<Outcome> =>
  fetch(url, init).then(
    async (response) => ({ status: response.status, body: await response.text() }),
    (error: Error) => ({ status: 'no response' as const, body: String(error.cause ?? error) }),
  )

for (const name of ['nginx', 'caddy'] satisfies ProxyName[]) {
  const found = onPglite() ? 'the instances share a PostgreSQL' : await findReverseProxy(name)
  const reason = typeof found === 'string' ? `: ${found}` : ''
  describe.skipIf(typeof found === 'string')(`two instances with ${name} in front of them${reason}`, () => {
    let data: HostData
    let ports: readonly number[]
    let hosts: Host[]
    let proxy: ReverseProxy

    const start = (port: number) => startHost({ ...data.environment, ...PRODUCTION, PORT: String(port) })

    beforeAll(async () => {
      data = await openHostData()
      ports = [await freePort(), await freePort()]
      hosts = await Promise.all(ports.map(start))
      if (typeof found !== 'string') proxy = await found.start(...ports.map((port) => `127.0.0.1:${port}`))
    })
    afterAll(async () => {
      await proxy.stop()
      await Promise.all(hosts.map((host) => host.stop()))
      await data.remove()
    })

    it('answer every request while they restart one after another, and do nothing twice', async () => {
      const registered = await sent(`${proxy.url}/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' }),
      })
      const { token, user } = JSON.parse(registered.body)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const failed: Outcome[] = []
      const created: number[] = []
      let reads = 0
      let isRestarting = true

      const read = async () => {
        while (isRestarting) {
          const outcome = await sent(`${proxy.url}/u/ada`)
          reads += 1
          if (outcome.status !== 200) failed.push(outcome)
        }
      }
      const write = async () => {
        for (let index = 0; isRestarting && index < PAGES_OF_A_WRITER; index += 1) {
          const request = {
            method: 'POST',
            headers: { ...headers, 'idempotency-key': randomUUID() },
            body: JSON.stringify({ profile_id: user.active_profile_id, title: randomUUID(), body: '' }),
          }
          const first = await sent(`${proxy.url}/manage/pages`, request)
          // nginx checks no health, and sends no POST twice: the client repeats it when the port was closed in that moment.
          const isReset = name === 'nginx' && first.status === 502
          const outcome = isReset ? await sent(`${proxy.url}/manage/pages`, request) : first
          if (outcome.status === 201) created.push(JSON.parse(outcome.body).id)
          else failed.push(outcome)
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
      }
      const clients = [...Array.from({ length: READERS }, read), ...Array.from({ length: WRITERS }, write)]
      for (const [index, port] of ports.entries()) {
        expect(await hosts[index]?.stop()).toBe(0)
        hosts[index] = await start(port)
        // Caddy takes the instance once it has seen that it is ready.
        await new Promise((resolve) => setTimeout(resolve, NEXT_AFTER_MS))
      }
      isRestarting = false
      await Promise.all(clients)

      expect({ failed, readsWereSent: reads > 0 }, proxy.log()).toEqual({ failed: [], readsWereSent: true })
      const listed = await sent(`${proxy.url}/manage/pages?profile_id=${user.active_profile_id}`, { headers })
      expect(JSON.parse(listed.body).pagination.total).toBe(created.length)
      expect(new Set(created).size).toBe(created.length)
    })
  })
}
