import { createHash, randomUUID } from 'node:crypto'
import { postgresStorage } from '@eep/adapters-postgres'
import { cashRail, createCashWallets, eraseAccount } from '@eep/core/testing'
import { importJWK, type JWK } from 'jose'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { didOf, login, makeAdministrator, type Person, signOut, signUp } from '../support/accounts.ts'
import { createMigratedDatabase, createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { type Deal, openDeal } from '../support/deals.ts'
import { header, openShop } from '../support/shop.ts'
import { newOrganization } from '../support/teams.ts'
import { LONG } from '../support/wait.ts'

const schema = process.env.TEST_SCHEMA ?? 'eep'
const DAY_MS = 86_400_000

interface Chain {
  readonly position: number
  readonly previous_hash: string
  readonly hash: string
  readonly hash_signature: string
  readonly actor_digest: string
  readonly actor_salt: string | null
}
interface Entry {
  readonly entry_id: string
  readonly event_type: string
  readonly actor_did: string
  readonly publisher_did: string
  readonly timestamp: string
  readonly outcome: string
  readonly signature: string
  readonly metadata: { readonly chain: Chain }
}
interface Log {
  readonly entries: readonly Entry[]
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly next_cursor?: string
  readonly publisher_did?: string
}

type Sold = Deal & Pick<Log, 'entries'>

describe.skipIf(onPglite())('the audit log', () => {
  const cashWallets = createCashWallets()
  let app: TestApp
  let pool: Pool
  let admin: Person
  /** For tests that leave its log as it is. */
  let sold: Sold
  let storage: ReturnType<typeof postgresStorage>
  let now = new Date()
  const closers: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool, schema })
    const options = { storage, payments: { rails: [cashRail({ cashWallets })] }, clock: () => now }
    const test = await createTestApp(options)
    app = test.app
    closers.push(test.close, storage.close, () => pool.end(), database.drop)
    admin = await signUp(app)
    await makeAdministrator({ storage }, admin)
    sold = await sellerWithDeal()
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })

  const log = async (who: Pick<Person, 'get'>, query = ''): Promise<Log> => {
    const response = await who.get(`/eep/audit-log?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const typesOf = ({ entries }: Log) => entries.map(({ event_type: type }) => type)
  const verify = async (who: Pick<Person, 'get'>) => (await who.get('/eep/audit-log/verify')).json()
  /** Waits until a log has a number of entries, and returns them from the first one on. */
  const recorded = (who: Pick<Person, 'get'>, count: number): Promise<Log> =>
    vi.waitFor(async () => {
      const found = await log(who, 'sort=asc')
      expect(found.total).toBe(count)
      return found
    }, LONG)
  const sql = (text: string, values: readonly unknown[]) =>
    pool.query(text.replaceAll('audit_', `${schema}.audit_`), [...values])
  const profileIdOf = (who: Person) => who.account.active_profile_id

  /** A seller whose log has the three moves of a deal. */
  async function sellerWithDeal(): Promise<Sold> {
    const deal = await openDeal(app)
    await deal.play('seller counter', 'buyer accept')
    const found = await recorded(deal.seller, 3)
    return { ...deal, entries: found.entries }
  }

  it('has an entry for each move of a deal, in the closed form of EEP', async () => {
    const { buyer, seller, id } = sold
    const found = await log(seller, 'sort=asc')
    expect(found).toMatchObject({ total: 3, page: 1, per_page: 20, publisher_did: didOf(seller) })
    expect(typesOf(found)).toEqual(['commerce.offer', 'commerce.counter', 'commerce.accepted'])
    expect(found.entries.map(({ actor_did: actor }) => actor)).toEqual([buyer, seller, buyer].map(didOf))
    expect(found.entries[0]).toEqual({
      entry_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: 'commerce.offer',
      actor_did: didOf(buyer),
      publisher_did: didOf(seller),
      timestamp: expect.stringMatching(/Z$/),
      outcome: 'success',
      signature: expect.stringMatching(/^[\w-]{86}$/),
      commerce_id: id,
      metadata: { state: 'open', version: 1, by: 'buyer', chain: expect.objectContaining({ position: 1 }) },
    })
    expect((await log(buyer)).total).toBe(0)
  })

  it('has entries for a sale and for what it granted, with the wallet as the actor', async () => {
    const shop = await openShop(app, 'audited-shop')
    const challenge = header(await client(app).get(shop.paid), 'payment-required')
    const wallet = `0x${'a1'.repeat(20)}`
    const paid = await client(app).get(shop.paid, cashWallets.answer(challenge, { wallet }))
    expect(paid.statusCode).toBe(200)
    const { entries } = await recorded(shop, 2)
    expect(entries.map(({ event_type: type }) => type).sort()).toEqual(['gate.payment.verified', 'session.created'])
    for (const entry of entries) expect(entry.actor_did).toMatch(new RegExp(`^did:pkh:.+:${wallet}$`))
    const sale = entries.find((entry) => entry.event_type === 'gate.payment.verified')
    expect(sale).toMatchObject({ gate_type: 'payment', outcome: 'success', metadata: { rail: 'cash' } })
  })

  it('has an entry for ended sessions in the log of the person', async () => {
    const ada = await signUp(app)
    const other = await client(app).post('/auth/login', {
      email: ada.account.email,
      password: 'Correct horse 7 battery',
    })
    await signOut(app, { authorization: `Bearer ${other.json().token}` })
    const { entries } = await recorded(ada, 1)
    expect(entries[0]).toMatchObject({ event_type: 'session.revoked', actor_did: didOf(ada) })
  })

  it('has no entry for ended sessions of an account in the log of another profile that it owns', async () => {
    const ada = await signUp(app)
    const { id, username } = await newOrganization(app, ada)
    const end = async () => {
      const other = await login(app, ada.account.email)
      await signOut(app, { authorization: `Bearer ${other.json().token}` })
    }
    expect((await ada.delete(`/profiles/u/${ada.account.username}`)).statusCode).toBe(200)
    await end()
    // Events are handled in order.
    const bert = await signUp(app)
    const ended = await login(app, bert.account.email)
    await signOut(app, { authorization: `Bearer ${ended.json().token}` })
    await recorded(bert, 1)
    const offer = await ada.post(`/profiles/${id}/transfers`, { recipient_username: bert.account.username })
    expect((await bert.post(`/transfers/${offer.json().id}/accept`)).statusCode).toBe(200)
    const inherited = await log(bert, `profile=${id}`)
    expect(inherited).toMatchObject({ total: 0, publisher_did: expect.stringContaining(username) })
  })

  it('filters by type, actor, outcome and time, and pages by number and by cursor', async () => {
    const { buyer, seller, entries } = sold
    expect(typesOf(await log(seller, 'event_type=commerce.counter'))).toEqual(['commerce.counter'])
    expect((await log(seller, `actor_did=${encodeURIComponent(didOf(buyer))}`)).total).toBe(2)
    expect((await log(seller, 'outcome=failure')).total).toBe(0)
    const after = encodeURIComponent(new Date(Date.parse(entries[2]?.timestamp ?? '') + 1).toISOString())
    expect((await log(seller, `to=${after}`)).total).toBe(3)
    expect((await log(seller, `from=${after}`)).total).toBe(0)
    const second = await log(seller, 'sort=asc&per_page=2&page=2')
    expect([typesOf(second), second.total, second.page]).toEqual([['commerce.accepted'], 3, 2])
    const first = await log(seller, 'sort=asc&per_page=2')
    const rest = await log(seller, `sort=asc&per_page=2&cursor=${first.next_cursor}`)
    expect([typesOf(rest), rest.next_cursor]).toEqual([['commerce.accepted'], undefined])
    expect((await log(seller, 'page=9')).total).toBe(3)
  })

  it('shows the logs of all profiles to administrators, and of one when they name it', async () => {
    const { seller } = sold
    const all = await log(admin, 'per_page=1000')
    expect(all.total).toBeGreaterThan(2)
    expect(all.publisher_did).toBeUndefined()
    const one = await log(admin, `profile=${profileIdOf(seller)}`)
    expect([one.total, one.publisher_did]).toEqual([3, didOf(seller)])
    expect((await admin.get('/eep/audit-log?profile=999999999')).json().error.code).toBe('profile_not_found')
  })

  it.each([
    'page=0',
    'page=1001',
    'per_page=1001',
    'per_page=two',
    'event_type=commerce.stolen',
    'outcome=unknown',
    'actor_did=ada',
    'actor_did=did:key:%00',
    'from=yesterday',
    'sort=up',
    'cursor=abc',
    'cursor=abc&page=1',
    'profile=0',
    'profile=ada',
  ])('rejects %s with 400', async (query) => {
    const { statusCode, body } = await sold.seller.get(`/eep/audit-log?${query}`)
    expect(statusCode, body).toBe(400)
  })

  it('verifies with nothing but the JSON and the published keys', async () => {
    const { seller } = sold
    const { keys } = (await client(app).get('/.well-known/jwks.json')).json<{ keys: JWK[] }>()
    const isSigned = async (text: string, signature: string) => {
      for (const jwk of keys) {
        const key = await importJWK(jwk, 'EdDSA')
        if (!(key instanceof CryptoKey)) continue
        const bytes = Buffer.from(signature, 'base64url')
        if (await crypto.subtle.verify('Ed25519', key, bytes, Buffer.from(text))) return true
      }
      return false
    }
    let previous = '0'.repeat(64)
    for (const entry of (await log(seller, 'sort=asc')).entries) {
      const { actor_did, signature, metadata, ...kept } = entry
      const { chain, ...about } = metadata
      expect(chain.previous_hash).toBe(previous)
      const hashed = { ...kept, metadata: about, position: chain.position, actor_digest: chain.actor_digest }
      expect(sha256(previous + canonical(hashed))).toBe(chain.hash)
      expect(sha256(`${chain.actor_salt}\n${actor_did}`)).toBe(chain.actor_digest)
      expect(await isSigned(chain.hash, chain.hash_signature)).toBe(true)
      const { entry_id, event_type, publisher_did, timestamp, outcome } = entry
      const text = [entry_id, event_type, actor_did, publisher_did, timestamp, outcome].join('\n')
      expect(await isSigned(text, signature)).toBe(true)
      expect(await isSigned(`${text}\n`, signature)).toBe(false)
      previous = chain.hash
    }
  })

  describe('verify', () => {
    /** Verifies the log after a change of its rows, which are then put back. */
    async function verifiedAfter(change: () => Promise<unknown>) {
      const id = profileIdOf(sold.seller)
      const kept = await sql('select to_json(each) as row from audit_log each where profile_id = $1', [id])
      await change()
      const verified = await verify(sold.seller)
      await sql('delete from audit_log where profile_id = $1', [id])
      for (const { row } of kept.rows) {
        await sql('insert into audit_log select * from json_populate_record(null::audit_log, $1)', [row])
      }
      expect(await verify(sold.seller)).toMatchObject({ ok: true, count: 3 })
      return verified
    }

    it('confirms an unchanged log, with its first and last entry', async () => {
      const { seller, entries } = sold
      const place = (entry: Entry | undefined) => ({
        position: entry?.metadata.chain.position,
        entry_id: entry?.entry_id,
        hash: entry?.metadata.chain.hash,
        hash_signature: entry?.metadata.chain.hash_signature,
      })
      expect(await verify(seller)).toEqual({
        publisher_did: didOf(seller),
        ok: true,
        count: 3,
        first: place(entries[0]),
        last: place(entries[2]),
        broken: null,
        next_position: null,
      })
      expect(await verify(await signUp(app))).toMatchObject({ ok: true, count: 0, first: null, last: null })
      expect((await seller.get('/eep/audit-log/verify?from_position=3')).json()).toMatchObject({ ok: true, count: 1 })
      expect((await seller.get('/eep/audit-log/verify?from_position=9')).json()).toMatchObject({ ok: true, count: 0 })
    })

    it('checks 1,000 entries at a time', async () => {
      const { account, get } = await signUp(app)
      const profileId = account.active_profile_id
      const deal = { negotiationId: 'neg_1', state: 'expired', by: 'service', sellerProfileId: profileId }
      const expired = { type: 'commerce.offer_expired', profileId, accountId: null, at: new Date() }
      const events = Array.from({ length: 1_001 }, (_, version) => {
        return { ...expired, id: randomUUID(), data: { ...deal, version, buyerProfileId: null } }
      })
      await storage.transaction((tx) => tx.events.append(events))
      await recorded({ get }, 1_001)
      const first = await verify({ get })
      expect(first).toMatchObject({ ok: true, count: 1_000, last: { position: 1_000 }, next_position: 1_001 })
      const rest = (await get('/eep/audit-log/verify?from_position=1001')).json()
      expect(rest).toMatchObject({ ok: true, count: 1, last: { position: 1_001 }, next_position: null })
    })

    it.each([
      ['another outcome', `outcome = 'failure'`, 'hash_mismatch'],
      ['another time', `at = at + interval '1 second'`, 'hash_mismatch'],
      ['other details', `details = '{"commerce_id":"neg_00000000"}'`, 'hash_mismatch'],
      ['another actor', `actor_did = 'did:key:zMallory'`, 'actor_mismatch'],
      ['no actor', `actor_did = 'did:eep:erased', actor_salt = null`, 'invalid_signature'],
      ['another signature', `signature = redacted_signature`, 'invalid_signature'],
      ['another signature of the hash', `hash_signature = signature`, 'invalid_hash_signature'],
      ['another hash', `hash = previous_hash`, 'hash_mismatch'],
    ])('names the row that was given %s', async (_, change, reason) => {
      const { seller, entries } = sold
      const { ok, count, broken } = await verifiedAfter(() =>
        sql(`update audit_log set ${change} where profile_id = $1 and position = 2`, [profileIdOf(seller)]),
      )
      expect({ ok, count, broken }).toEqual({
        ok: false,
        count: 1,
        broken: { position: 2, entry_id: entries[1]?.entry_id, reason },
      })
    })

    it.each([1, 2, 3])('names row %i when it was removed', async (position) => {
      const id = profileIdOf(sold.seller)
      const change = () => sql('delete from audit_log where profile_id = $1 and position = $2', [id, position])
      expect(await verifiedAfter(change)).toMatchObject({
        ok: false,
        count: position - 1,
        broken: { position, entry_id: null, reason: 'missing_entry' },
      })
    })

    it('names the first of two rows that were exchanged', async () => {
      const { seller, entries } = sold
      const id = profileIdOf(seller)
      const move = (from: number, to: number) =>
        sql('update audit_log set position = $3 where profile_id = $1 and position = $2', [id, from, to])
      const exchange = async () => {
        await move(2, 9)
        await move(3, 2)
        await move(9, 3)
      }
      expect(await verifiedAfter(exchange)).toMatchObject({
        ok: false,
        broken: { position: 2, entry_id: entries[2]?.entry_id, reason: 'previous_hash_mismatch' },
      })
    })

    it('names a row that was moved to the end of the log of another profile', async () => {
      const [one, other] = [await sellerWithDeal(), await sellerWithDeal()]
      const moved = [profileIdOf(one.seller), profileIdOf(other.seller)]
      await sql('update audit_log set profile_id = $2, position = 4 where profile_id = $1 and position = 3', moved)
      await sql('update audit_chains set position = 4 where profile_id = $1', [profileIdOf(other.seller)])
      expect(await verify(other.seller)).toMatchObject({ ok: false, broken: { position: 4 } })
    })
  })

  it('no longer names an erased account, and still verifies', async () => {
    const { buyer, seller } = await sellerWithDeal()
    await storage.transaction((tx) => eraseAccount(tx, buyer.account.id))
    const found = await log(seller, 'sort=asc')
    expect(found.entries.map(({ actor_did: actor }) => actor)).toEqual([
      'did:eep:erased',
      didOf(seller),
      'did:eep:erased',
    ])
    expect(found.entries.map(({ metadata }) => metadata.chain.actor_salt === null)).toEqual([true, false, true])
    expect(JSON.stringify(found)).not.toContain(buyer.account.username)
    expect(await verify(seller)).toMatchObject({ ok: true, count: 3 })
  })

  it('no longer names a deleted profile, and still verifies', async () => {
    const { buyer, seller } = await sellerWithDeal()
    expect((await buyer.delete(`/profiles/u/${buyer.account.username}`)).statusCode).toBe(200)
    await vi.waitFor(async () => {
      const actors = (await log(seller, 'sort=asc')).entries.map(({ actor_did: actor }) => actor)
      expect(actors).toEqual(['did:eep:erased', didOf(seller), 'did:eep:erased'])
    }, LONG)
    expect(await verify(seller)).toMatchObject({ ok: true, count: 3 })
  })

  it('no longer names an erased account that paid with the DID of its profile', async () => {
    const [shop, bob] = [await openShop(app, 'shop-of-members'), await signUp(app)]
    const challenge = header(await client(app).get(shop.paid), 'payment-required')
    expect((await client(app).get(shop.paid, cashWallets.answer(challenge))).statusCode).toBe(200)
    await recorded(shop, 2)
    const { rows } = await pool.query(
      `update ${schema}.receipts set payer_did = $1 where profile_id = $2 returning receipt_id`,
      [didOf(bob), shop.profileId],
    )
    const data = {
      receiptId: rows[0].receipt_id,
      rail: 'cash',
      resource: 'content',
      tier: 'reader',
      per: 'day',
      title: '',
      url: '',
    }
    const about = { profileId: shop.profileId, accountId: null, at: new Date(Date.now() + DAY_MS) }
    const settled = { ...about, data: { ...data, amount: { decimal: '0.01', currency: 'usdc' } } }
    await storage.transaction((tx) =>
      tx.events.append([{ ...settled, id: randomUUID(), type: 'payments.payment_settled' }]),
    )
    expect((await recorded(shop, 3)).entries[2]?.actor_did).toBe(didOf(bob))
    await storage.transaction((tx) => eraseAccount(tx, bob.account.id))
    expect((await recorded(shop, 3)).entries[2]?.actor_did).toBe('did:eep:erased')
  })

  it('goes with the account of its profile', async () => {
    const { seller } = await sellerWithDeal()
    await storage.transaction((tx) => eraseAccount(tx, seller.account.id))
    const { rowCount } = await sql('select 1 from audit_log where profile_id = $1', [profileIdOf(seller)])
    expect(rowCount).toBe(0)
  })

  it('records the deal of a seller that follows the sale of an erased one in the event log', async () => {
    const { storage, close } = await openStorage()
    const wallets = createCashWallets()
    const options = { storage, payments: { rails: [cashRail({ cashWallets: wallets })] } }
    // Nothing is recorded until the sale is erased.
    const before = await createTestApp({ ...options, auditLog: false })
    const shop = await openShop(before.app, 'erased-shop')
    const challenge = header(await client(before.app).get(shop.paid), 'payment-required')
    expect((await client(before.app).get(shop.paid, wallets.answer(challenge))).statusCode).toBe(200)
    await storage.transaction((tx) => eraseAccount(tx, shop.account.id))
    await before.close()

    const after = await createTestApp(options)
    const { seller } = await openDeal(after.app)
    expect(typesOf(await recorded(seller, 1))).toEqual(['commerce.offer'])
    await after.close()
    await close()
  })

  it('deletes entries after the retention period, and verifies the rest', async () => {
    const deal = await openDeal(app)
    await recorded(deal.seller, 1)
    now = new Date(now.getTime() + DAY_MS)
    try {
      await deal.move(deal.seller, 'counter', { pricing: { model: 'fixed', currency: 'usd', amount: 80 } })
      await recorded(deal.seller, 2)
      const later = new Date(now.getTime() + DAY_MS / 2)
      const pruning = await createTestApp({ storage, clock: () => later, auditLog: { retentionDays: 1 } })
      await recorded(deal.seller, 1)
      await pruning.close()
      const verified = await verify(deal.seller)
      expect(verified).toMatchObject({ ok: true, count: 1, first: { position: 2 } })
    } finally {
      now = new Date(now.getTime() - DAY_MS)
    }
  })

  it('writes each entry once when two instances run', async () => {
    const second = await createTestApp({ storage })
    const deals = await Promise.all(Array.from({ length: 4 }, () => sellerWithDeal()))
    for (const { seller } of deals) expect(await verify(seller)).toMatchObject({ ok: true, count: 3 })
    await second.close()
  })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** RFC 8785, for values like those of entries. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  )
