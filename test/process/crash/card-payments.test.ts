import { postgresStorage } from '@eep/adapters-postgres'
import { type FakeStripe, payChallenge, startFakeStripe } from '@eep/payments-card/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { startCrashHost, untilKnown } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { CRASH_POINTS, type CrashPoint } from '../../support/payment-host.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

describe.skipIf(onPglite())('a host that is killed while it is paid by card', () => {
  let stripe: FakeStripe
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let env: Record<string, string>
  const shops = new Map<string, Shop>()
  /** The host that was started again in the case before: it is the next to die. */
  let restarted: Awaited<ReturnType<typeof startCrashHost>> | undefined

  beforeAll(async () => {
    stripe = await startFakeStripe()
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    const storage = postgresStorage({ pool })
    const setup = await createTestApp({ storage })
    for (const point of CRASH_POINTS) {
      shops.set(point, await openShop(setup.app, `card-${point}`, { amount: 5, currency: 'usd' }))
    }
    await setup.close()
    env = { DATABASE_URL: database.connectionString, STRIPE_URL: stripe.url, STRIPE_KEY: stripe.secretKey }
  })
  afterAll(async () => {
    await restarted?.kill()
    await pool.end()
    await database.drop()
    await stripe.stop()
  })

  async function credential(url: string, path: string) {
    const response = await fetch(`${url}${path}`)
    await response.body?.cancel()
    return payChallenge(stripe, response.headers.get('www-authenticate'))
  }

  const count = async (text: string, values: unknown[] = []) => Number((await pool.query(text, values)).rows[0].count)

  /** What Stripe, the receipts and the entitlements say of one shop: all three the same, and nothing open. */
  async function booksOf({ did, profileId }: Shop) {
    const paid = stripe.charges().filter(({ metadata }) => metadata.eep_seller === did)
    const references = paid.map(({ id }) => id)
    return {
      charges: paid.length,
      credentials: new Set(paid.map(({ metadata }) => metadata.eep_credential)).size,
      receipts: await count('select count(*) from eep.receipts where settlement_reference = any($1)', [references]),
      entitlements: await count('select count(*) from eep.entitlements where profile_id = $1', [profileId]),
      open: await count(
        "select count(*) from eep.payments where state in ('settling', 'unknown') and (purchase->>'profileId')::bigint = $1",
        [profileId],
      ),
    }
  }
  const balanced = (payments: number) => ({
    charges: payments,
    credentials: payments,
    receipts: payments,
    entitlements: payments,
    open: 0,
  })

  it.each(CRASH_POINTS)(
    '%s: serves the repeated request after a restart, and charges the card once',
    async (point: CrashPoint) => {
      const shop = shops.get(point) as Shop
      const doomed = restarted ?? (await startCrashHost(env))
      restarted = undefined
      onTestFinished(doomed.kill)
      await doomed.change({ DIE_AT: point })
      const headers = await credential(doomed.url, shop.paid)
      await expect(fetch(`${doomed.url}${shop.paid}`, { headers })).rejects.toThrow()
      await doomed.exited

      restarted = await startCrashHost(env)
      const response = await untilKnown(`${restarted.url}${shop.paid}`, headers)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(SECRET_WORD)
      expect(await booksOf(shop)).toEqual(balanced(1))
    },
  )
})
