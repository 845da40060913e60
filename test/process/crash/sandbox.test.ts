import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { formatPaymentCredential, parsePaymentChallenges } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMigratedDatabase, createTestApp, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { startCrashHost, untilKnown } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { CRASH_POINTS, type CrashPoint } from '../../support/payment-host.ts'
import { askedBy } from '../../support/sandbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

/** Where a host can die while a page is paid that was opened before. */
const WHILE_PAID = ['while-recording', 'after-recording'] as const

describe.skipIf(onPglite())('a host that is killed while it is paid with a test card', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let storage: PostgresStorage
  let env: Record<string, string>
  const shops = new Map<string, Shop>()
  /** The host that was started again in the case before: it is the next to die. */
  let restarted: Awaited<ReturnType<typeof startCrashHost>> | undefined

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool })
    const rails = [sandboxRail({ storage, secret: SECRET })]
    const setup = await createTestApp({ storage, modules: [sandbox()], payments: { rails } })
    for (const name of [...CRASH_POINTS, ...WHILE_PAID.map((point) => `page-${point}`), 'page-unknown'])
      shops.set(name, await openShop(setup.app, `play-${name}`, { amount: 5, currency: 'usd' }))
    await setup.close()
    env = { DATABASE_URL: database.connectionString, SANDBOX: 'on' }
  })
  afterAll(async () => {
    await restarted?.kill()
    await pool.end()
    await database.drop()
  })

  async function start() {
    const host = restarted ?? (await startCrashHost(env))
    restarted = undefined
    onTestFinished(host.kill)
    return host
  }

  const count = async (text: string, values: unknown[]) => Number((await pool.query(text, values)).rows[0].count)

  /** What the processor, the receipts and the entitlements have of one shop, and what is open. */
  async function booksOf({ did, profileId }: Shop) {
    const all = await storage.read.sandboxPayments.list(['paid'], 1_000)
    const paid = all.filter(({ details }) => details.sellerDid === did).map(({ id }) => id)
    return {
      paid: paid.length,
      receipts: await count('select count(*) from eep.receipts where settlement_reference = any($1)', [paid]),
      entitlements: await count('select count(*) from eep.entitlements where profile_id = $1', [profileId]),
      open: await count(
        "select count(*) from eep.payments where state in ('settling', 'unknown') and (purchase->>'profileId')::bigint = $1",
        [profileId],
      ),
    }
  }
  const SOLD_ONCE = { paid: 1, receipts: 1, entitlements: 1, open: 0 }

  it.each(CRASH_POINTS)(
    '%s: serves the repeated request after a restart, and takes one token',
    async (point: CrashPoint) => {
      const shop = shops.get(point) as Shop
      const doomed = await start()
      await doomed.change({ DIE_AT: point })
      const page = `${doomed.url}${shop.paid}`
      const { headers } = await fetch(page)
      const [challenge] = parsePaymentChallenges(headers.get('www-authenticate') ?? '')
      if (!challenge) throw new Error('The 402 has no challenge')
      const made = await fetch(`${doomed.url}/sandbox/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ paymentMethod: 'pm_sandbox_ok', ...askedBy(challenge) }),
      })
      const { spt } = (await made.json()) as { spt: string }
      const credential = { authorization: formatPaymentCredential(challenge, { spt }) }
      await expect(fetch(page, { headers: credential })).rejects.toThrow()
      await doomed.exited

      restarted = await startCrashHost(env)
      const response = await untilKnown(`${restarted.url}${shop.paid}`, credential)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(SECRET_WORD)
      expect(await booksOf(shop)).toEqual(SOLD_ONCE)
    },
  )

  /** Opens a checkout page as a program does. */
  async function openPage(url: string, { did }: Shop): Promise<string> {
    const opened = await fetch(`${url}/eep/payment/sandbox/checkout-human`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ did, resource: 'content.notes.engines' }),
    })
    return ((await opened.json()) as { checkout_id: string }).checkout_id
  }
  const press = (url: string, id: string, answer: string) =>
    fetch(`${url}/sandbox/checkout/${id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: PUBLIC_URL },
      body: new URLSearchParams({ answer }),
    })
  const comeBack = (url: string, id: string) =>
    fetch(`${url}/eep/payment/sandbox/checkout-human/${id}`, { redirect: 'manual' })

  it.each(WHILE_PAID)('%s: opens the page to the buyer of a checkout page who comes back', async (point) => {
    const shop = shops.get(`page-${point}`) as Shop
    const doomed = await start()
    const id = await openPage(doomed.url, shop)
    await doomed.change({ DIE_AT: point })
    await expect(press(doomed.url, id, 'pay')).rejects.toThrow()
    await doomed.exited

    restarted = await startCrashHost(env)
    const back = await comeBack(restarted.url, id)
    expect([back.status, back.headers.get('location')]).toEqual([303, `${PUBLIC_URL}${shop.paid}`])
    expect(await booksOf(shop)).toEqual(SOLD_ONCE)
  })

  it('keeps an unknown outcome unknown, and offers no second payment after a restart', async () => {
    const shop = shops.get('page-unknown') as Shop
    const doomed = await start()
    const id = await openPage(doomed.url, shop)
    expect((await press(doomed.url, id, 'unknown')).status).toBe(303)
    await doomed.kill()

    restarted = await startCrashHost(env)
    expect((await comeBack(restarted.url, id)).status).toBe(503)
    expect((await press(restarted.url, id, 'pay')).status).toBe(303)
    expect(await booksOf(shop)).toEqual({ paid: 0, receipts: 0, entitlements: 0, open: 1 })
  })
})
