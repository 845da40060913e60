import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryMailer } from '@eep/core/email'
import { cashRail, createCashWallets, endOfLog, eventsAfter, newCheckout, newSubscription } from '@eep/core/testing'
import { type CompactVerifyResult, compactVerify, createLocalJWKSet } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { login, PASSWORD, proveAddress, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { openShop, shopGate } from '../support/shop.ts'
import { newOrganization } from '../support/teams.ts'

const DAY_MS = 86_400_000
const cashWallets = createCashWallets()

let database: Awaited<ReturnType<typeof openStorage>>
let directory: string
let now = new Date()
/** The instance of the users. It purges no account while the tests run. */
let app: TestApp
let closeApp: () => Promise<void>
const purging: (() => Promise<void>)[] = []

const instance = (purgeEveryMs: number, storage = database.another()) =>
  createTestApp({
    withSearch: true,
    storage,
    clock: () => now,
    payments: { rails: [cashRail({ cashWallets })] },
    email: { mailer: directoryMailer({ directory }) },
    auth: { purgeIntervalMs: purgeEveryMs },
  })

/** Starts instances that purge until the test is over. */
async function startPurging(instances = 1): Promise<void> {
  for (let count = 0; count < instances; count++) purging.push((await instance(100)).close)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'eep-mail-'))
  database = await openStorage()
  const made = await instance(DAY_MS, database.storage)
  app = made.app
  closeApp = made.close
})
beforeEach(() => {
  now = new Date()
})
afterEach(() => Promise.all(purging.splice(0).map((close) => close())))
afterAll(async () => {
  await closeApp()
  await database.close()
  await rm(directory, { recursive: true })
})

const leave = (headers: Record<string, string>) =>
  client(app).send('DELETE', '/auth/account', { password: PASSWORD }, headers)

/** The sent emails, without the line breaks that their encoding inserts. */
const mails = async () =>
  Promise.all(
    (await readdir(directory)).map(async (name) =>
      (await readFile(join(directory, name), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll(/\r?\n[ \t]+/g, ' '),
    ),
  )

/** The content of each receipt, verified with the published keys; fails when one is not signed by them. */
async function verified(receipt: { readonly signature: string }): Promise<unknown> {
  const keys = createLocalJWKSet((await client(app).get('/.well-known/jwks.json')).json())
  const { payload }: CompactVerifyResult = await compactVerify(receipt.signature, keys)
  return JSON.parse(new TextDecoder().decode(payload))
}

describe('the purge', () => {
  it.skipIf(onPglite())('leaves no trace of an account, and receipts that still prove what was paid', async () => {
    const leaver = await openShop(app, 'leaver-of-this')
    const other = await openShop(app, 'stayer-of-this')
    const { id } = (await leaver.get('/auth/me')).json()
    // Email to an address that it does not own would stay.
    await proveAddress(database, { account: { id } })
    const buyer = (await signUp(app)).headers
    const buy = async (page: string, headers: Record<string, string>, digit: string) => {
      const challenge = await client(app).get(page, headers)
      const proof = cashWallets.answer(challenge.headers['payment-required'], { wallet: `0x${digit.repeat(40)}` })
      const { statusCode } = await client(app).get(page, { ...headers, ...proof })
      expect(statusCode).toBe(200)
    }
    await buy(leaver.paid, buyer, '2')
    await buy(other.paid, leaver.headers, '3')
    await leaver.post('/api-keys', { name: 'Key of the leaver' })
    const profile = { profile_type: 'place', username: 'house-of-leaver', bio: 'Where the leaver lives.' }
    expect((await leaver.post('/profiles', profile)).statusCode).toBe(200)
    const follow = (name: string, headers: Record<string, string>) =>
      client(app).with(headers).post(`/connections/u/${name}`)
    expect((await follow('stayer-of-this', leaver.headers)).statusCode).toBe(201)
    expect((await follow('leaver-of-this', other.headers)).statusCode).toBe(201)
    const dealFor = (seller: { did: string }, headers: Record<string, string>) => {
      const offer = { seller_did: seller.did, service: 'Where the leaver lives.', reason: 'For leaver-of-this' }
      const pricing = { model: 'fixed', currency: 'usd', amount: 9 }
      return client(app).post('/eep/commerce/negotiations', { ...offer, pricing }, headers)
    }
    const deals = [await dealFor(other, leaver.headers), await dealFor(leaver, other.headers)]
    expect(deals.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    await expect.poll(async () => (await mails()).some((mail) => mail.includes('leaver-of-this'))).toBe(true)
    await database.storage.transaction(async (tx) => {
      await tx.subscriptions.put(newSubscription(id, { processorCustomerId: 'leaver-of-this' }))
      await tx.subscriptions.putCheckout(newCheckout(id, { url: 'https://pay.example/leaver-of-this' }))
      await tx.subscriptions.takeLease(id, randomUUID(), DAY_MS)
      const change = { action: 'account.changed', before: {}, after: { email: 'leaver-of-this' }, at: now }
      await tx.audit.append({ ...change, actorAccountId: id, target: 'pricing/pro', after: {} })
      await tx.audit.append({ ...change, actorAccountId: id, target: `accounts/${id}` })
    })

    now = new Date(Date.now() - 31 * DAY_MS)
    // The session began later than this; it is a new one that leaves.
    const { token } = (await login(app, 'leaver-of-this@example.com')).json()
    expect((await leave({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
    now = new Date()
    await expect.poll(async () => (await mails()).some((mail) => mail.includes('will be deleted'))).toBe(true)

    const names = ['leaver-of-this', 'house-of-leaver', 'Key of the leaver', 'lives', id]
    // The receipt that a buyer got by email names the seller. It belongs to the buyer and stays.
    const isReceipt = (mail: string) => mail.includes('Subject: Your receipt')
    const traces = async () =>
      [...((await database.dump?.()) ?? []), ...(await mails()).filter((mail) => !isReceipt(mail))].filter((row) =>
        names.some((name) => row.includes(name)),
      )
    expect((await traces()).length).toBeGreaterThan(5)
    const connections = async () => (await database.dump?.())?.filter((row) => row.includes('.connections: '))
    expect(await connections()).toHaveLength(2)
    const start = await endOfLog(database.storage)
    // Several instances, of which one gets the account.
    await startPurging(3)
    await expect.poll(traces, { timeout: 60_000 }).toEqual([])
    expect(await connections()).toEqual([])

    const told = await eventsAfter(database.storage, start)
    const { profileId } = leaver
    // Others, such as the change of a trust level, follow from earlier ones whenever their consumers get to them.
    const ofPurge = told.filter(({ type }) => /^(accounts|profiles)\./.test(type))
    expect(ofPurge.map(({ type, accountId }) => [type, accountId])).toEqual([
      ['profiles.profile_purged', null],
      ['profiles.profile_purged', null],
      ['accounts.account_purged', null],
    ])
    expect(ofPurge[0]).toMatchObject({ profileId, data: {} })

    const kept = (await other.get('/eep/commerce/negotiations')).json().data
    const sides = kept.map(({ seller_did, buyer_did }: Record<string, string>) => `${seller_did} ${buyer_did}`)
    expect(sides.toSorted()).toEqual([`did:eep:erased ${other.did}`, `${other.did} did:eep:erased`])
    const paid = (await client(app).get('/eep/payment/receipts', buyer)).json().data
    expect(paid).toHaveLength(1)
    const { signature: _, refund: __, ...facts } = paid[0]
    expect(facts.seller).toEqual({ profile_id: profileId, did: 'did:eep:erased' })
    expect(await verified(paid[0])).toEqual(facts)
    const [sold] = (await other.get('/eep/payment/receipts')).json().data
    expect(sold).toBeUndefined()
  })

  it('keeps the receipts of a previous owner, signed again, when the next owner is purged with the profile', async () => {
    const [owner, next] = [await signUp(app), await signUp(app)]
    const profile = await newOrganization(app, owner)
    const category = { profile_id: profile.id, name: 'Notes' }
    const { id: categoryId } = (await owner.post('/manage/categories', category)).json()
    const page = {
      profile_id: profile.id,
      category_id: categoryId,
      title: 'Engines',
      body: 'Sold',
      status: 'published',
    }
    await owner.post('/manage/pages', page)
    await owner.put(`/eep/gates/did:web:profiles.example:o:${profile.username}`, shopGate())
    const buyer = (await signUp(app)).headers
    const url = `/o/${profile.username}/content/notes/engines`
    const challenge = await client(app).get(url, buyer)
    const proof = cashWallets.answer(challenge.headers['payment-required'], { wallet: `0x${'4'.repeat(40)}` })
    expect((await client(app).get(url, { ...buyer, ...proof })).statusCode).toBe(200)
    const offer = { recipient_username: next.account.username }
    const { id } = (await owner.post(`/profiles/${profile.id}/transfers`, offer)).json()
    expect((await next.post(`/transfers/${id}/accept`)).statusCode).toBe(200)

    now = new Date(Date.now() - 31 * DAY_MS)
    const { token } = (await login(app, next.account.email)).json()
    expect((await leave({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
    now = new Date()
    await startPurging()
    await expect.poll(() => database.storage.read.profiles.get(profile.id)).toBeUndefined()
    const [receipt] = (await client(app).get('/eep/payment/receipts', buyer)).json().data
    expect(receipt.seller).toEqual({ profile_id: profile.id, did: 'did:eep:erased' })
    const { signature: _, refund: __, ...facts } = receipt
    expect(await verified(receipt)).toEqual(facts)
    const kept = await database.storage.read.receipts.get(receipt.receipt_id)
    expect(kept?.seller.accountId).toBe(owner.account.id)
    expect((await owner.get('/transfers')).json().data).toEqual([])
  })

  it('leaves an account that came back in time', async () => {
    now = new Date(Date.now() - 31 * DAY_MS)
    const [back, gone] = [await signUp(app), await signUp(app)]
    for (const { headers } of [back, gone]) expect((await leave(headers)).statusCode).toBe(200)
    expect((await login(app, back.account.email)).statusCode).toBe(200)
    now = new Date()
    await startPurging(2)
    const { accounts } = database.storage.read
    await expect.poll(() => accounts.get(gone.account.id)).toBeUndefined()
    expect(await accounts.get(back.account.id)).toBeDefined()
    expect((await client(app).get(`/u/${back.account.username}`)).statusCode).toBe(200)
  })

  it('sweeps tokens that have expired', async () => {
    now = new Date(Date.now() - 2 * DAY_MS)
    const { account } = await signUp(app)
    const newest = () => database.storage.read.tokens.getNewest('verify_email', account.id)
    expect(await newest()).toBeDefined()
    now = new Date()
    await startPurging()
    await expect.poll(newest).toBeUndefined()
  })

  it.skipIf(onPglite())('sweeps nonces and keys of requests that have expired', async () => {
    const { account } = await signUp(app)
    const [over, later] = [new Date(Date.now() - 1_000), new Date(Date.now() + DAY_MS)]
    const attempt = { accountId: account.id, route: 'POST /profiles', fingerprint: 'x', holder: randomUUID() }
    await database.storage.transaction(async (tx) => {
      await tx.nonces.claim({ scope: 'swept', nonce: 'an old nonce', expiresAt: over })
      await tx.idempotency.begin({ ...attempt, key: 'swept-key', expiresAt: over }, { leaseMs: DAY_MS, maxKeys: 9 })
      await tx.idempotency.begin({ ...attempt, key: 'good-key', expiresAt: later }, { leaseMs: 1, maxKeys: 9 })
    })
    const rows = async (text: string) => ((await database.dump?.()) ?? []).filter((row) => row.includes(text)).length
    expect(await rows('swept')).toBe(2)
    await startPurging()
    await expect.poll(() => rows('swept')).toBe(0)
    expect(await rows('good-key')).toBe(1)
  })
})
