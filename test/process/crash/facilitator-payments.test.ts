import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { postgresStorage } from '@eep/adapters-postgres'
import type { PaymentPayload } from '@eep/payments-x402'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { startCrashHost, untilKnown } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { paymentFor, RECORDED_NETWORK, type Required } from '../../support/recording-facilitator.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

/** The points between the settlement and the end of its record, and one at which the facilitator was not asked yet. */
const POINTS = ['before-settle', 'after-settle', 'while-recording'] as const

describe.skipIf(onPglite())('a host that is killed while it is paid through a facilitator', () => {
  /** What the facilitator was asked to settle. */
  const settled: PaymentPayload[] = []
  let server: Server
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let setup: Awaited<ReturnType<typeof createTestApp>>
  let env: Record<string, string>

  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      if (request.url === '/verify') return answer({ isValid: true })
      json(request).then(
        (body) => {
          settled.push((body as { readonly paymentPayload: PaymentPayload }).paymentPayload)
          // It answers the repetition of a payment as it did the first time.
          answer({ success: true, transaction: `0x${'7'.repeat(64)}`, network: RECORDED_NETWORK })
        },
        (error: Error) => response.destroy(error),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    setup = await createTestApp({ storage: postgresStorage({ pool }) })
    const { port } = server.address() as AddressInfo
    env = { DATABASE_URL: database.connectionString, FACILITATOR_URL: `http://127.0.0.1:${port}` }
  })
  afterAll(async () => {
    await setup.close()
    await pool.end()
    await database.drop()
    server.close()
  })

  async function pay(url: string, { paid }: Shop) {
    const refused = await fetch(`${url}${paid}`)
    const required: Required = JSON.parse(
      Buffer.from(refused.headers.get('payment-required') ?? '', 'base64').toString(),
    )
    const headers = await paymentFor(required)
    await expect(fetch(`${url}${paid}`, { headers })).rejects.toThrow()
    return { headers, required }
  }

  it.each(POINTS)(
    '%s: sends what the first try would have sent, although the seller has another name since',
    async (point) => {
      settled.length = 0
      const shop = await openShop(setup.app, `facilitated-${point}`)
      const doomed = await startCrashHost(env)
      onTestFinished(doomed.kill)
      await doomed.change({ DIE_AT: point })
      const { headers, required } = await pay(doomed.url, shop)
      await doomed.exited
      const first = settled[0]
      expect(settled).toHaveLength(point === 'before-settle' ? 0 : 1)
      await shop.put(`/profiles/${shop.profile.slice(1)}`, { full_name: 'Another name', keywords: ['other'] })

      const restarted = await startCrashHost(env)
      onTestFinished(restarted.kill)
      const response = await untilKnown(`${restarted.url}${shop.paid}`, headers)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(SECRET_WORD)
      const last = settled.at(-1)
      expect(settled).toHaveLength(point === 'before-settle' ? 1 : 2)
      if (first) expect(last).toEqual(first)
      expect(last?.resource).toEqual(required.resource)
      expect(last?.extensions).toEqual({ bazaar: required.extensions.bazaar })
      const { rows } = await pool.query(
        "select count(*)::int as receipts, (select count(*)::int from eep.payments where state in ('settling', 'unknown')) as open from eep.receipts where profile_id = $1",
        [shop.profileId],
      )
      expect(rows).toEqual([{ receipts: 1, open: 0 }])
    },
  )
})
