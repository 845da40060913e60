import { cashRail, createCashWallets } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { type Client, client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox } from '../support/mailbox.ts'
import { CHAIN } from '../support/squats.ts'
import { keyOf, linkWallet, type SigningWallet } from '../support/wallets.ts'

const network = `eip155:${CHAIN}`
const mailbox = createMailbox()
const { instance } = await openInstances({ email: { mailer: mailbox.mailer } })
const options = {
  auth: { walletVerifier: { chainIds: [CHAIN], verify: async () => true } },
  payments: { rails: [cashRail({ cashWallets: createCashWallets(), network })] },
}
const app = await instance(options)

const link = (owner: Person, wallet: SigningWallet) => linkWallet(app, wallet, { ...owner.headers })

async function payTo(owner: Client, walletId: string): Promise<void> {
  const chosen = await owner.post('/manage/payouts', { account_wallet_id: walletId, network })
  expect(chosen.statusCode, chosen.body).toBe(201)
}

/** The emails to an account about a subject, once all requested emails are sent. */
async function countOf({ account }: Person, about: 'walletLinked' | 'payoutChanged'): Promise<number> {
  let count = 0
  if (!(await mailbox.has(account.email, about))) return count
  do {
    await mailbox.take(account.email, about)
    count++
  } while (mailbox.hasNow(account.email, about))
  return count
}

describe('the owner of an account', () => {
  it('is notified of a linked wallet once, also when the wallet is verified again', async () => {
    const owner = await signUp(app)
    const id = await link(owner, keyOf(1))
    const { text } = await mailbox.take(owner.account.email, 'walletLinked')
    expect(text).toContain(`Wallet ${keyOf(1).address} on the network ${network} can now be chosen`)
    expect(await link(owner, keyOf(1))).toBe(id)
    expect(await countOf(owner, 'walletLinked')).toBe(0)
  })

  it('is notified each time sales are paid to another wallet', async () => {
    const owner = await signUp(app)
    const [first, second] = [await link(owner, keyOf(1)), await link(owner, keyOf(2))]
    await payTo(owner, first)
    const { text } = await mailbox.take(owner.account.email, 'payoutChanged')
    expect(text).toContain(`Payments on the network ${network} now go to the wallet ${keyOf(1).address}.`)
    await payTo(owner, first)
    expect(await countOf(owner, 'payoutChanged')).toBe(0)
    for (const wallet of [second, first]) await payTo(owner, wallet)
    expect(await countOf(owner, 'payoutChanged')).toBe(2)
  })

  it('gets at most ten of these emails in an hour', async () => {
    const owner = await signUp(app)
    const wallets = [await link(owner, keyOf(1)), await link(owner, keyOf(2))]
    // The other instances of these tests count a thousand times as many.
    const limited = client(await instance({ ...options, limits: { rateLimit: { multiplier: 1 } } })).as(owner)
    for (let turn = 0; turn < 6; turn++) for (const wallet of wallets) await payTo(limited, wallet)
    expect(await countOf(owner, 'payoutChanged')).toBe(10)
  })
})
