import { cashRail, createCashWallets } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { newName, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { client, type Response } from '../support/client.ts'
import { openDeal } from '../support/deals.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { holdingStorage } from '../support/held-requests.ts'
import { openInstances } from '../support/instances.ts'
import { header, openShop, receiptIdOf } from '../support/shop.ts'

const cashWallets = createCashWallets()
const { database, instance } = await openInstances({ ...OPEN_FEED, payments: { rails: [cashRail({ cashWallets })] } })
const { read } = database.storage
const app = await instance()
const { storage, holdDuring } = holdingStorage(database.storage)
/** The instance that receives the requests of administrators. */
const held = await instance({ storage })

const appoint = async (person: Person, isAdmin = true) => {
  await database.storage.transaction((tx) => tx.accounts.save(person.account.id, { isAdmin }))
  return person
}

/** How the rights of an administrator end, and the status of a request that was identified before. */
const ENDS: readonly (readonly [string, number, (admin: Person) => Promise<unknown>])[] = [
  [
    'changed the password',
    401,
    (admin) => admin.put('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD} again 9` }),
  ],
  [
    'was banned',
    401,
    async ({ account }) => (await appoint(await signUp(app))).put(`/admin/users/${account.id}`, { banned: true }),
  ],
  [
    'lost its administrator rights',
    403,
    async ({ account }) => (await appoint(await signUp(app))).put(`/admin/users/${account.id}`, { is_admin: false }),
  ],
]

interface Write {
  readonly send: (admin: Person) => Promise<Response>
  /** Whether the request was carried out. */
  readonly isDone: () => Promise<boolean>
}

/** Buys the page of a shop and claims its refund. Returns the id of the receipt. */
async function claimRefund(): Promise<string> {
  const shop = await openShop(app, newName())
  const offer = await client(app).get(shop.paid)
  const answer = cashWallets.answer(header(offer, 'payment-required'), { wallet: `wallet:${shop.profileId}` })
  const id = receiptIdOf(await client(app).get(shop.paid, answer))
  const claimed = await shop.post(`/eep/payment/receipts/${id}/refund`, { reference: 'by bank transfer' })
  expect(claimed.statusCode, claimed.body).toBe(202)
  return id
}

/** What administrators write. Each is prepared before its request is held. */
const WRITES: Readonly<Record<string, () => Promise<Write>>> = {
  'appoint an account': async () => {
    const { id } = (await signUp(app)).account
    return {
      send: (admin) => client(held).as(admin).put(`/admin/users/${id}`, { is_admin: true }),
      isDone: async () => (await read.accounts.get(id))?.isAdmin === true,
    }
  },
  'disable a second factor': async () => {
    const { id } = (await signUp(app)).account
    await database.storage.transaction(async (tx) => {
      await tx.secondFactors.begin(id, 'a sealed key', new Date())
      await tx.secondFactors.confirm(id, 'a sealed key', 1, [])
    })
    return {
      send: (admin) => client(held).as(admin).delete(`/admin/users/${id}/second-factor`),
      isDone: async () => (await read.secondFactors.get(id)) === undefined,
    }
  },
  'change a price': async () => ({
    send: (admin) => client(held).as(admin).put('/admin/settings/subscription-pricing/pro', { trial_days: 77 }),
    isDone: async () => (await read.pricing.list()).some(({ trialDays }) => trialDays === 77),
  }),
  'hide a post': async () => {
    const { id } = await newPost(await signUp(app))
    return {
      send: (admin) => client(held).as(admin).put(`/admin/feed/${id}`, { hidden: true }),
      isDone: async () => (await read.feed.get(id)) === undefined,
    }
  },
  'delete a post': async () => {
    const { id } = await newPost(await signUp(app))
    return {
      send: (admin) => client(held).as(admin).delete(`/feed/${id}`),
      isDone: async () => (await read.feed.get(id)) === undefined,
    }
  },
  'suspend an account from posting': async () => {
    const poster = await signUp(app)
    return {
      send: (admin) => client(held).as(admin).put(`/admin/users/${poster.account.id}/posting`, { open: false }),
      isDone: async () => (await poster.post('/feed', { body: 'An update' })).statusCode !== 201,
    }
  },
  'decide a report': async () => {
    const { id } = await newPost(await signUp(app))
    const reported = await (await signUp(app)).post(`/feed/${id}/report`, { reason: 'Spam' })
    const { id: reportId } = reported.json<{ id: string }>()
    return {
      send: (admin) => client(held).as(admin).put(`/admin/reports/${reportId}`, { status: 'dismissed' }),
      isDone: async () => (await read.reports.get(reportId))?.status !== 'open',
    }
  },
  'confirm a refund': async () => {
    const id = await claimRefund()
    return {
      send: (admin) => client(held).as(admin).post(`/admin/receipts/${id}/refund/confirm`),
      isDone: async () => (await read.refunds.get(id)) !== undefined,
    }
  },
  'decide a dispute': async () => {
    const deal = await openDeal(app)
    await deal.play('seller accept', 'buyer dispute')
    return {
      send: (admin) => client(held).as(admin).post(`${deal.path}/complete`, { outcome: 'rejected' }),
      isDone: async () => (await read.negotiations.get(deal.id))?.state !== 'disputed',
    }
  },
}

describe.each(Object.entries(WRITES))('an administrator', (what, prepare) => {
  it.each(ENDS)(`cannot ${what} with a request that was sent before the account %s`, async (_how, status, end) => {
    const [admin, { send, isDone }] = [await appoint(await signUp(app)), await prepare()]
    const answer = await holdDuring(
      () => send(admin),
      () => end(admin),
    )
    expect(answer.statusCode, answer.body).toBe(status)
    expect(await isDone()).toBe(false)
  })
})
