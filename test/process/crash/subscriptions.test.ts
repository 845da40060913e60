import { postgresStorage } from '@eep/adapters-postgres'
import { newAccount } from '@eep/core/testing'
import { type FakeStripe, type StripeEvent, startFakeStripe } from '@eep/payments-card/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { BILLING_POINTS } from '../../support/billing-host.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { createChance } from '../../support/random.ts'
import { cardBillingOn, orderOf } from '../../support/subscription-orders.ts'

describe.skipIf(onPglite())('a host that crashes while it processes a webhook about a subscription', () => {
  let stripe: FakeStripe
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let storage: ReturnType<typeof postgresStorage>
  let env: Record<string, string>
  let healthy: Awaited<ReturnType<typeof startCrashHost>>

  const startHost = (more: Record<string, string> = {}) => startCrashHost({ ...env, ...more }, './billing-host.ts')

  beforeAll(async () => {
    stripe = await startFakeStripe()
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool })
    env = {
      DATABASE_URL: database.connectionString,
      STRIPE_URL: stripe.url,
      STRIPE_KEY: stripe.secretKey,
      WEBHOOK_SECRET: stripe.webhookSecret,
    }
    healthy = await startHost()
  })
  afterAll(async () => {
    await healthy.kill()
    await storage.close()
    await pool.end()
    await database.drop()
    await stripe.stop()
  })

  const send = (url: string, event: StripeEvent) => {
    const { body, headers } = stripe.message(event)
    return fetch(`${url}/stripe/subscription/webhook`, { method: 'POST', headers, body })
  }

  /** Sends as Stripe does, until it is taken. */
  async function sendUntilTaken(url: string, event: StripeEvent) {
    for (const end = Date.now() + 120_000; Date.now() < end; ) {
      const response = await send(url, event)
      if (response.status === 200) return response.json()
      await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('it is not taken')
  }

  const billsOf = async (accountId: string) =>
    (
      await pool.query("select data from eep.events where account_id = $1 and type = 'subscriptions.bill_paid'", [
        accountId,
      ])
    ).rowCount

  it.each(BILLING_POINTS)('%s: a retry stores the right row, and emits the invoice once', async (point) => {
    const account = newAccount()
    await storage.transaction((tx) => tx.accounts.insert(account))
    const order = { ...orderOf(account.id, createChance(1)), trialDays: 0 }
    const { id: page } = await cardBillingOn(stripe).openCheckout(order)
    const paid = stripe.billing.buy(page).find(({ type }) => type === 'invoice.payment_succeeded') as StripeEvent
    const id = stripe.billing.boughtOn(page)

    const doomed = await startHost({ DIE_AT: point })
    await expect(send(doomed.url, paid)).rejects.toThrow()
    await doomed.exited

    expect(await sendUntilTaken(healthy.url, paid)).toMatchObject({ received: true })
    expect(await sendUntilTaken(healthy.url, paid)).toMatchObject({ received: true, duplicate: true })
    const row = await storage.read.subscriptions.get('stripe', id)
    expect(row).toMatchObject({ accountId: account.id, status: 'active', tier: order.tier })
    expect(await storage.read.accounts.get(account.id)).toMatchObject({ tier: order.tier })
    expect(await billsOf(account.id)).toBe(1)
  })
})
