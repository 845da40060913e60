import type { JsonObject, PaymentRail, Subscription } from '@eep/core/ports'
import { newSubscription } from '@eep/core/testing'
import { localFacilitator, type X402RailOptions, x402Rail } from '@eep/payments-x402'
import { type PaymentChanges, signPayment, startLocalChain, type Wallet } from '@eep/payments-x402/testing'
import { afterAll, afterEach } from 'vitest'
import { signUp } from './accounts.ts'
import { createTestApp, openStorage, type TestAppOptions } from './app.ts'
import { createClock } from './clock.ts'
import { createMailbox } from './mailbox.ts'
import { mergeOptions } from './options.ts'

/** The price of a year of the plan `pro`, in units of USDC. */
export const YEAR = 120_000_000n
export const DAY = 86_400_000

/** A chain for a test file, hosts that sell years on it, and wallets that pay. All of it ends with the file. */
export async function openYears() {
  const chain = await startLocalChain()
  const hosts: (() => Promise<void>)[] = []
  // An open host looks for what is due ten times a second, also after its test.
  afterEach(async () => {
    for (const close of hosts.splice(0)) await close()
  })
  afterAll(() => chain.stop())

  const railOn = (options: Partial<X402RailOptions> = {}): PaymentRail =>
    x402Rail({
      network: 'base-sepolia',
      payTo: chain.wallets.platform.address,
      rpcUrl: chain.rpcUrl,
      facilitator: localFacilitator({
        network: 'base-sepolia',
        rpcUrl: chain.rpcUrl,
        privateKey: chain.wallets.facilitator.privateKey,
      }),
      ...options,
    })

  /** A host for one test. */
  async function startHost(options?: TestAppOptions) {
    const host = await openHost(options)
    hosts.push(host.close)
    return host
  }

  async function openHost(options: TestAppOptions = {}) {
    const database = await openStorage()
    const time = createClock()
    const mailbox = createMailbox()
    const test = await createTestApp(
      mergeOptions(
        {
          storage: database.storage,
          payments: { rails: [railOn()], settlementLeaseMs: 300 },
          clock: time.clock,
          email: { mailer: mailbox.mailer },
          auth: { purgeIntervalMs: 100 },
        },
        options,
      ),
    )
    const { app } = test
    const close = async () => {
      await test.close()
      await database.close()
    }

    async function customer() {
      const person = await signUp(app)
      const start = (tier = 'pro') => person.post(`/checkout/start-yearly-usdc?tier=${tier}`)
      return {
        ...person.account,
        ...person,
        start,
        offer: async (tier?: string): Promise<Offer> => (await start(tier)).json(),
        redeem: ({ tier, challenge }: Offer, proof: JsonObject, more: object = {}) =>
          person.post('/checkout/usdc-receipt', { tier, challenge, payment_proof: proof, ...more }),
        subscription: async () => (await person.get('/account/subscription')).json().subscription,
        tier: async (): Promise<string> => (await person.get('/auth/me')).json().tier,
      }
    }
    return { ...test, ...time, mailbox, customer, close }
  }

  return {
    chain,
    railOn,
    openHost,
    startHost,
    /** Closes something after the test. */
    closeAfter: (close: () => Promise<void>) => void hosts.push(close),
    payer: () => chain.newPayer(FUNDS),
    spentBy: async (wallet: Wallet) => FUNDS - (await chain.balanceOf(wallet.address)),
  }
}

const FUNDS = 1_000_000_000n

export interface Offer {
  readonly tier: string
  readonly challenge: string
  readonly payment_required: { readonly accepts: readonly JsonObject[] }
}

/** The first payment that an offer accepts. */
export const accept = ({ payment_required: { accepts } }: Offer): JsonObject => accepts[0] as JsonObject
/** A payment that answers an offer. */
export const signed = (offer: Offer, wallet: Wallet, changes?: PaymentChanges) =>
  signPayment(accept(offer), wallet, changes)
/** Why a payment was refused. */
export const reasonOf = (answer: { json(): { error: { details?: { reason?: string } } } }) =>
  answer.json().error.details?.reason

/** One year after a day. No test uses the last day of February. */
export const yearBehind = (from: string | Date, years = 1) => {
  const end = new Date(from)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  return end.toISOString()
}

/** A subscription for 30 days of the plan `team`. */
export const monthly = (accountId: string, changes: Partial<Subscription> = {}): Subscription =>
  newSubscription(accountId, { tier: 'team', currentPeriodEnd: new Date(Date.now() + 30 * DAY), ...changes })
