import type { PaymentRail } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { newName, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { type Client, client, type Response } from '../support/client.ts'
import { holdingStorage } from '../support/held-requests.ts'
import { header, openShop, receiptIdOf } from '../support/shop.ts'
import { CHAIN } from '../support/squats.ts'
import { soon } from '../support/wait.ts'
import { keyOf, nonceFor, siweMessage } from '../support/wallets.ts'
import { openWebhooks } from '../support/webhooks.ts'

const cashWallets = createCashWallets()
const rail = cashRail({ cashWallets })
/** The network of payouts. */
const network = `eip155:${CHAIN}`
const { app, database, instance, setUp } = await openWebhooks({
  auth: { walletVerifier: { chainIds: [CHAIN], verify: async () => true } },
  payments: { rails: [rail, cashRail({ cashWallets: createCashWallets(), id: 'payouts', network })] },
})
const { storage, holdDuring } = holdingStorage(database.storage)
const { read } = database.storage
/** The instance that receives the requests that are held. */
const held = await instance({ storage })

/** What the processor of a rail with refunds was asked to give back. */
const givenBack: string[] = []
const refundingRail: PaymentRail = {
  ...rail,
  async refund({ reference }) {
    givenBack.push(reference)
    return { reference: `back-${reference}` }
  },
}
const refunding = await instance({ storage, payments: { rails: [refundingRail] } })

interface Write {
  readonly owner: Person
  readonly send: (by: Client) => Promise<Response>
  /** Where the request is sent. Default: `held`. */
  readonly to?: typeof held
  /** What the request changes. */
  readonly state: () => Promise<unknown>
}

/** A sale of a new shop. */
async function sell() {
  const owner = await openShop(app, newName())
  const wallet = `wallet:${owner.profileId}`
  const offer = await client(app).get(owner.paid)
  const paid = await client(app).get(owner.paid, cashWallets.answer(header(offer, 'payment-required'), { wallet }))
  const id = receiptIdOf(paid)
  const amount = (await read.receipts.get(id))?.amount.atomic
  const state = async () => [await read.refunds.get(id), await read.refunds.getClaim(id), ...givenBack]
  return {
    owner,
    state,
    url: `/eep/payment/receipts/${id}/refund`,
    giveBack: () => cashWallets.giveBack({ to: wallet, amount }),
  }
}

/** An account with a linked wallet, to which it is paid. */
async function payOut() {
  const owner = await signUp(app)
  const message = siweMessage(keyOf(1), await nonceFor(app, { ...owner.headers }))
  const linked = await owner.post('/auth/siwe/verify', { message, signature: '0x01' })
  const { account_wallet_id: walletId } = linked.json<{ account_wallet_id: string }>()
  const chosen = await owner.post('/manage/payouts', { account_wallet_id: walletId, network })
  expect(chosen.statusCode, chosen.body).toBe(201)
  const state = async () => [
    await read.wallets.listOfAccount(owner.account.id),
    await read.payouts.listOfAccount(owner.account.id),
  ]
  return { owner, walletId, payoutId: chosen.json<{ id: number }>().id, state }
}

/** A request about a new webhook. */
const aboutWebhook = (path: string, body?: object) => async (): Promise<Write> => {
  const { ada: owner, made } = await setUp({ event_types: ['*'] })
  const state = async () => {
    const { status, secret } = (await read.webhooks.get(made.id)) ?? {}
    return { status, secret, attempts: (await read.webhooks.listAttempts(made.id, { limit: 1 })).total }
  }
  return { owner, send: (by) => by.post(`${made.path}/${path}`, body), state }
}

const WRITES: Readonly<Record<string, () => Promise<Write>>> = {
  'a refund by the processor': async () => {
    const { url, ...sale } = await sell()
    return { ...sale, to: refunding, send: (by) => by.post(url, {}) }
  },
  'a refund by a proven transfer': async () => {
    const { url, giveBack, ...sale } = await sell()
    const reference = giveBack()
    return { ...sale, send: (by) => by.post(url, { reference }) }
  },
  'a claimed refund': async () => {
    const { url, ...sale } = await sell()
    return { ...sale, send: (by) => by.post(url, { reference: 'by bank transfer' }) }
  },
  'the removal of a payout': async () => {
    const { payoutId, ...account } = await payOut()
    return { ...account, send: (by) => by.delete(`/manage/payouts/${payoutId}`) }
  },
  'the removal of a wallet': async () => {
    const { walletId, ...account } = await payOut()
    return { ...account, send: (by) => by.delete(`/auth/siwe/wallets/${walletId}?force=1`) }
  },
  'a pause of a webhook': aboutWebhook('pause'),
  'a test of a webhook': aboutWebhook('test'),
  'a new secret of a webhook': aboutWebhook('rotate-secret'),
  'a replay to a webhook': aboutWebhook('replay', { since: new Date(0).toISOString() }),
  'the end of a webhook': async () => {
    const { ada: owner, made } = await setUp({ event_types: ['*'] })
    const state = async () => (await read.webhooks.get(made.id))?.status
    return { owner, send: (by) => by.delete(made.path), state }
  },
}

const changePassword = async (owner: Person) => {
  const body = { current_password: PASSWORD, new_password: `${PASSWORD} again 9` }
  expect((await owner.put('/auth/change-password', body)).statusCode).toBe(200)
}

describe.each(Object.entries(WRITES))('%s', (_what, prepare) => {
  it('is refused when the password changes after its caller was identified', async () => {
    const { owner, send, to = held, state } = await prepare()
    const before = await state()
    const answer = await holdDuring(
      () => send(client(to).as(owner)),
      () => changePassword(owner),
    )
    expect([answer.statusCode, answer.body]).toEqual([401, expect.stringContaining('"unauthenticated"')])
    expect(await state()).toEqual(before)
  })

  it('is carried out for a caller whose credentials did not change', async () => {
    const { owner, send, to = held, state } = await prepare()
    const before = await state()
    const answer = await holdDuring(
      () => send(client(to).as(owner)),
      async () => undefined,
    )
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    // Webhooks are called after the answer.
    await soon(async () => expect(await state()).not.toEqual(before))
  })
})
