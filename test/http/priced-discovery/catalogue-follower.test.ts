import type { PaymentRail } from '@eep/core/ports'
import { newPayout, newWallet } from '@eep/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp, openStorage, type TestAppOptions } from '../../support/app.ts'
import { catalogueOf, catalogueRail, PLATFORM, untilListed } from '../../support/catalogue.ts'
import { onPglite } from '../../support/database.ts'
import { RECORDED_NETWORK, recordingFacilitator } from '../../support/recording-facilitator.ts'
import { openShop, type Shop, shopGate } from '../../support/shop.ts'
import { soon } from '../../support/wait.ts'

let database: Awaited<ReturnType<typeof openStorage>>
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await openStorage()
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
afterAll(() => database.close())

/** An instance on the database that all share. */
async function instance(rail: PaymentRail = catalogueRail(), options: TestAppOptions = {}) {
  const test = await createTestApp({ storage: database.another(), payments: { rails: [rail] }, ...options })
  closers.push(test.close)
  return test
}

/** A rail whose offers for some resources wait or fail. */
function heldRail(isHeld: (resource: string) => Promise<unknown> | undefined): PaymentRail {
  const rail = catalogueRail()
  return {
    ...rail,
    offer: async (purchase) => {
      await isHeld(purchase.resource)
      return rail.offer(purchase)
    },
  } as PaymentRail
}

const saveGate = async (seller: Shop, gate: object) => {
  const saved = await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, gate)
  expect(saved.statusCode, saved.body).toBe(200)
}
const receiversOf = async (app: Awaited<ReturnType<typeof instance>>['app'], seller: Shop) => [
  ...new Set(
    (await catalogueOf(app, { profile: seller.profile.slice(1) })).items.flatMap(({ accepts }) =>
      accepts.map(({ payTo }) => payTo),
    ),
  ),
]
const rowsFor = (receiver: string, seller: Shop) =>
  database.storage.read.pricedResources.countOffers({ payTo: receiver.toLowerCase(), profileId: seller.profileId })

describe('the catalogue', () => {
  it('lists everything again when the service starts with other rails, and not when they are the same', async () => {
    const first = await instance()
    const seller = await openShop(first.app, 'restarted')
    await untilListed(first.app, seller.profile, [seller.paid, seller.other])
    expect(await rowsFor(PLATFORM, seller)).toBe(2)
    await closers.pop()?.()

    const before = await database.storage.transaction((tx) => tx.pricedResources.nextSequence())
    const same = await instance()
    const digest = await database.storage.read.pricedResources.digest()
    const late = await openShop(same.app, 'restarted-late')
    await untilListed(same.app, late.profile, [late.paid, late.other])
    // Four changes took a sequence each; listing all again would have taken one for each seller, too.
    expect(await database.storage.read.pricedResources.digest()).toBe(digest)
    expect(before).toBeGreaterThan(0)
    await closers.pop()?.()

    const receiver = '0x00000000000000000000000000000000000000bB'
    const other = await instance(catalogueRail(recordingFacilitator(), receiver))
    await soon(async () => {
      expect([await rowsFor(PLATFORM, seller), await rowsFor(receiver, seller)]).toEqual([0, 2])
      expect(await rowsFor(receiver, late)).toBe(2)
    })
    expect(await database.storage.read.pricedResources.digest()).not.toBe(digest)
    expect((await receiversOf(other.app, seller)).map((each) => each.toLowerCase())).toEqual([receiver.toLowerCase()])
  })

  it('continues with the listing of a profile in another process when one ends in the middle', async () => {
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let isHolding = false
    const rail = heldRail((resource) => {
      if (!isHolding || !resource.endsWith('looms')) return undefined
      reached.resolve()
      return held.promise
    })
    const first = await instance(rail)
    const seller = await openShop(first.app, 'interrupted')
    await untilListed(first.app, seller.profile, [seller.paid, seller.other])
    isHolding = true
    await saveGate(seller, shopGate({ amount: 3 }))
    await reached.promise
    expect(await database.storage.read.pricedResources.listRequested(10)).toContain(seller.profileId)
    const closing = closers.pop()?.()
    isHolding = false
    held.reject(new Error('the process ends'))
    await closing

    const second = await instance()
    await soon(async () => {
      expect(await database.storage.read.pricedResources.listRequested(10)).toEqual([])
      const { items } = await catalogueOf(second.app, { profile: seller.profile.slice(1) })
      expect(items.flatMap(({ accepts }) => accepts.map(({ amount }) => amount))).toEqual(Array(4).fill('3000000'))
    })
  })

  it('stores the other resources while a rail cannot make one offer, and adds it when the rail can', async () => {
    let isFailing = true
    const rail = heldRail((resource) =>
      isFailing && resource.endsWith('looms') ? Promise.reject(new Error('the rail is down')) : undefined,
    )
    const { app } = await instance(rail)
    const seller = await openShop(app, 'failing')
    const rows = () => database.storage.read.pricedResources.countOffers({ profileId: seller.profileId })
    await soon(async () => expect(await rows()).toBe(1))
    expect(await database.storage.read.pricedResources.listRequested(10)).toContain(seller.profileId)
    // Changes of other profiles are not held up.
    const other = await openShop(app, 'not-failing')
    await soon(async () =>
      expect((await catalogueOf(app, { profile: 'u/not-failing' })).items.length).toBeGreaterThan(0),
    )
    expect(other.profileId).not.toBe(seller.profileId)
    isFailing = false
    await untilListed(app, seller.profile, [seller.paid, seller.other])
    await soon(async () => expect(await database.storage.read.pricedResources.listRequested(10)).toEqual([]))
  })

  it('lists what others sell while the terms of a rail are unknown, and while a profile cannot be read', async () => {
    let broken: number | undefined
    const storage = database.another()
    const pricedResources: typeof storage.read.pricedResources = {
      ...storage.read.pricedResources,
      listNewest: async (ids, request) => {
        if (broken !== undefined && ids.includes(broken)) throw new Error('this profile cannot be read')
        return storage.read.pricedResources.listNewest(ids, request)
      },
    }
    const rail = heldRail((resource) =>
      resource === 'content.terms' ? Promise.reject(new Error('the rail is down')) : undefined,
    )
    const { app } = await instance(rail, { storage: { ...storage, read: { ...storage.read, pricedResources } } })
    const first = await openShop(app, 'unreadable')
    await untilListed(app, first.profile, [first.paid, first.other])
    broken = first.profileId
    await saveGate(first, shopGate({ amount: 5 }))
    const second = await openShop(app, 'readable')
    await untilListed(app, second.profile, [second.paid, second.other])
    const requested = () => database.storage.read.pricedResources.listRequested(10)
    await soon(async () => expect(await requested()).toEqual([first.profileId]))
    broken = undefined
    await soon(async () => expect(await requested()).toEqual([]))
  })

  it('names the present receivers, whatever was cached when they changed', async () => {
    const { app } = await instance()
    const seller = await openShop(app, 'paid-elsewhere')
    await untilListed(app, seller.profile, [seller.paid, seller.other])
    /** Changes the receiver without an event, as another instance that has not read the log yet sees it. */
    const payTo = async (digit: string) => {
      const wallet = newWallet(seller.account.id, { address: `0x${digit.repeat(40)}` })
      await database.storage.transaction(async (tx) => {
        await tx.wallets.put(wallet)
        await tx.payouts.insert(newPayout(wallet, { network: RECORDED_NETWORK }))
      })
      return wallet.address
    }
    const first = await payTo('1')
    expect((await seller.put(`/manage/pages/${seller.otherId}`, { title: 'Other looms' })).statusCode).toBe(200)
    await soon(async () => expect(await rowsFor(first, seller)).toBe(1))
    expect(await receiversOf(app, seller)).toContain(first)
    const second = await payTo('2')
    await saveGate(seller, shopGate({ amount: 2 }))
    await soon(async () => expect(await rowsFor(second, seller)).toBe(2))
  })

  it.skipIf(onPglite())('lets a change win that happens while the profile is listed with an older state', async () => {
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let isHolding = false
    const rail = heldRail((resource) => {
      if (!isHolding || !resource.endsWith('engines')) return undefined
      isHolding = false
      reached.resolve()
      return held.promise
    })
    const { app } = await instance(rail)
    const seller = await openShop(app, 'changed-meanwhile')
    await untilListed(app, seller.profile, [seller.paid, seller.other])
    isHolding = true
    await saveGate(seller, shopGate({ amount: 4 }))
    await reached.promise
    // The listing has read both pages. One is deleted before it stores them.
    await seller.delete(`/manage/pages/${seller.otherId}`)
    const isGone = async () => {
      const found = await database.storage.read.pricedResources.findOffers([`page_${seller.otherId}`], {})
      expect(found).toEqual([])
    }
    await soon(isGone)
    held.resolve()
    await soon(async () => expect(await database.storage.read.pricedResources.listRequested(10)).toEqual([]))
    await isGone()
    await untilListed(app, seller.profile, [seller.paid])
  })

  it('lists a route of the host once its seller exists, and not while lists do not hold the seller', async () => {
    const test = await createTestApp(
      { storage: database.another(), payments: { rails: [catalogueRail()] } },
      {},
      (app) => {
        const onRequest = app.eep.requireAccess({
          profile: 'did:web:profiles.example:u:sells-routes',
          resource: 'api.rates',
          price: { amount: 0.05, currency: 'usdc', per: 'request' },
          listing: { path: '/rates', title: 'Rates' },
        })
        app.get('/rates', { onRequest }, async () => 1)
      },
    )
    closers.push(test.close)
    const { account, ...seller } = await signUp(test.app, 'sells-routes')
    const profileId = account.active_profile_id
    const page = { profile_id: profileId, title: 'About', body: 'Rates.', status: 'published' }
    const { id } = (await seller.post('/manage/pages', page)).json()
    await untilListed(test.app, '/u/sells-routes', ['/rates'])
    await seller.delete(`/manage/pages/${id}`)
    await soon(async () => expect(await database.storage.read.pricedResources.countOffers({ profileId })).toBe(0))
  })

  it('lists the other routes and pages of a seller while the offer of one route cannot be made', async () => {
    let isFailing = true
    const rail = heldRail((resource) =>
      isFailing && resource === 'api.first' ? Promise.reject(new Error('the rail is down')) : undefined,
    )
    const test = await createTestApp({ storage: database.another(), payments: { rails: [rail] } }, {}, (app) => {
      for (const name of ['first', 'second']) {
        const onRequest = app.eep.requireAccess({
          profile: 'did:web:profiles.example:u:sells-two-routes',
          resource: `api.${name}`,
          price: { amount: 0.05, currency: 'usdc', per: 'request' },
          listing: { path: `/${name}`, title: name },
        })
        app.get(`/${name}`, { onRequest }, async () => 1)
      }
    })
    closers.push(test.close)
    const seller = await openShop(test.app, 'sells-two-routes')
    await untilListed(test.app, seller.profile, [seller.paid, seller.other, '/second'])
    expect(await database.storage.read.pricedResources.listRequested(10)).toEqual([seller.profileId])
    isFailing = false
    await untilListed(test.app, seller.profile, [seller.paid, seller.other, '/first', '/second'])
    await soon(async () => expect(await database.storage.read.pricedResources.listRequested(10)).toEqual([]))
  })

  it.skipIf(onPglite())('is the same with two instances, whichever follows the log', async () => {
    const [one, two] = [await instance(), await instance()]
    const seller = await openShop(one.app, 'twice')
    await untilListed(two.app, seller.profile, [seller.paid, seller.other])
    await saveGate(seller, shopGate({ amount: 6 }))
    for (const { app } of [one, two]) {
      await soon(async () => {
        const { items } = await catalogueOf(app, { profile: 'u/twice' })
        expect(items.flatMap(({ accepts }) => accepts.map(({ amount }) => amount))).toEqual(Array(4).fill('6000000'))
      })
    }
    await soon(async () => expect(await database.storage.read.pricedResources.listRequested(10)).toEqual([]))
    expect(await database.storage.read.pricedResources.countOffers({ profileId: seller.profileId })).toBe(2)
  })
})
