import { createHash } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDump } from '../../../test/src/support/migrated-pglite.ts'
import { createStores } from './all-stores.ts'
import type { Database } from './database.ts'
import { assertMigrated, migrate, migrationStatus } from './migrate.ts'
import { migrations } from './migrations/index.ts'

describe('migrations', () => {
  let lite: PGlite
  let db: Kysely<unknown>

  beforeAll(async () => {
    // A copy opens five times as fast as a new database; these tests use their own schemas.
    lite = await PGlite.create({ loadDataDir: await migratedDump() })
    const pool = new Pool({ ...(createPgConfig(lite) as PoolConfig), max: 1, idleTimeoutMillis: 0 })
    db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  })
  afterAll(async () => {
    await db.destroy()
    await lite.close()
  })

  const tables = async (schema: string) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_catalog.pg_tables where schemaname = ${schema} order by 1`.execute(db)
    return rows.map(({ name }) => name)
  }

  it('applies migrations once, in order', async () => {
    expect(await migrate(db, 'once', migrations)).toEqual(Object.keys(migrations))
    const before = await migrationStatus(db, 'once', migrations)
    expect(await migrate(db, 'once', migrations)).toEqual([])
    expect(await migrationStatus(db, 'once', migrations)).toEqual(before)
    expect(before).toMatchObject({ pending: [], unknown: [], changed: [] })
  })

  describe('of a database of earlier releases', () => {
    const until = (end: string) => Object.fromEntries(Object.entries(migrations).filter(([name]) => name < end))
    const [owner, buyer, host] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const odd = JSON.stringify({ accountId: owner, text: '\0 and \ud800' })
    const bound = { 'did:web:profiles.example:u:ada': 0 }
    let [ada, house, newcomer] = [0, 0, 0]

    const addAccount = (id: string, name: string) =>
      sql`insert into upgraded.accounts (id, email, username, created_at)
        values (${id}, ${`${name}@example.com`}, ${name}, now())`.execute(db)
    async function addProfile(
      accountId: string,
      username: string,
      { type = 'person', custom = '{}', at = '2026-01-01' },
    ) {
      const { rows } = await sql<{ id: string }>`
        insert into upgraded.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities,
          custom_fields, type_data, visibility, created_at, updated_at)
        values (${accountId}, ${type}, ${username}, '{}', '{}', '{}', '{}', ${custom}, '{}', 'public', ${at}, now())
        returning id`.execute(db)
      return Number(rows[0]?.id)
    }

    async function addPurchases() {
      await addAccount(buyer, 'buyer')
      const profileId = await addProfile(buyer, 'buyer', {})
      const receipt = (receiptId: string, account: string | null) =>
        sql`insert into upgraded.receipts (receipt_id, profile_id, seller_did, resource, resource_pattern, tier, per,
            amount_atomic, amount_decimal, amount_asset, amount_currency, commission_bps, rail, settlement_reference,
            settlement_network, payer_account_id, payer_wallet_address, payer_network, paid_at, settled_at, issued_at, signature)
          values (${receiptId}, ${profileId}, 'did:web:x', 'content.a', 'content.*', 'reader', 'month', '1', '1', 'coin', 'usdc',
            0, 'cash', 'r', 'cash:test', ${account}, 'w', 'cash:test', now(), now(), now(), 's')`.execute(db)
      const hold = (wallet: string, pattern: string, receiptId: string | null, until: string | null, revoked = false) =>
        sql`insert into upgraded.entitlements (id, profile_id, resource_pattern, payer_wallet_address, payer_network, tier,
            receipt_id, valid_until, created_at, revoked_at, given_tier)
          values (${crypto.randomUUID()}, ${profileId}, ${pattern}, ${wallet}, 'cash:test', 'reader', ${receiptId},
            ${until}, now(), ${revoked ? '2026-01-01' : null}, ${receiptId === null ? 'reader' : null})`.execute(db)
      for (const name of ['month', 'longer', 'ever', 'refunded']) await receipt(name, buyer)
      await receipt('signed-out', null)
      await hold('w1', 'content.a', 'month', '2030-01-01')
      await hold('w2', 'content.a', 'longer', '2031-01-01')
      await hold('w1', 'content.b', 'longer', '2031-01-01')
      await hold('w2', 'content.b', 'ever', null)
      await hold('w1', 'content.c', 'refunded', null, true)
      await hold('w1', 'content.d', 'signed-out', null)
      await hold('w1', 'content.e', null, null)
    }

    async function addGates() {
      await addAccount(host, 'host')
      ada = await addProfile(host, 'ada', {})
      house = await addProfile(host, 'ada', { type: 'organization' })
      newcomer = await addProfile(host, 'newcomer', { at: '2026-03-01' })
      const dids = ['u:ada', 'o:ada', 'u:newcomer', 'u:unknown', 'zz:ada'].map(
        (path) => `did:web:profiles.example:${path}`,
      )
      const config = { default_tier: 'a', tiers: { a: { requirements: [{ type: 'allowlist', dids }], access: ['*'] } } }
      const save = (profileId: number, kept: object, known = {}) =>
        sql`insert into upgraded.gates (profile_id, config, version, updated_at, bound_dids)
          values (${profileId}, ${JSON.stringify(kept)}, 1, '2026-02-01', ${JSON.stringify(known)})`.execute(db)
      await save(ada, config)
      bound['did:web:profiles.example:u:ada'] = newcomer
      await save(house, config, bound)
      await save(newcomer, { default_tier: 'a', tiers: { a: { requirements: [], access: ['*'] } } })
    }

    async function addPost(hashtags: readonly string[]) {
      await sql`
        with post as (
          insert into upgraded.feed_posts (profile_id, body, attachments, created_at) values (${house}, 'x', '{}', now()) returning id
        )
        insert into upgraded.feed_hashtags (hashtag, created_at, post_id)
          select tag, now(), post.id from post, unnest(${hashtags}::text[]) as tag`.execute(db)
    }
    let image = 0
    async function addImage() {
      const { rows } = await sql<{ id: string }>`
        insert into upgraded.files (key, state, profile_id, content_type, filename, size, sha256, created_at)
        values ('image', 'stored', ${house}, 'image/png', 'a.png', 1, 'x', now()) returning id`.execute(db)
      image = Number(rows[0]?.id)
    }
    const addPage = (slug: string, body: string) =>
      sql`insert into upgraded.pages (profile_id, title, slug, body, status, version, position, created_at, updated_at)
        values (${house}, 'A', ${slug}, ${body}, 'published', 1, 1, now(), now())`.execute(db)
    const deliveryUrl = 'https://hook.example/a?b=c"d'
    const fingerprintOf = (types: readonly string[]) =>
      createHash('sha256')
        .update(JSON.stringify([null, 7, types.toSorted(), deliveryUrl]))
        .digest('hex')
    const addWebhook = (id: string, types: readonly string[]) =>
      sql`insert into upgraded.webhooks (id, account_id, source_did, source_profile_id, event_types, delivery_url, delivery_format,
          max_batch_size, max_batch_wait_ms, lease_seconds, metadata, fingerprint, status, created_at, verification_expires_at)
        values (${id}, ${owner}, 'did:web:x', 7, ${JSON.stringify(types)}, ${deliveryUrl}, 'structured', 1, 0, 600, '{}',
          ${fingerprintOf(types)}, 'active', now(), now())`.execute(db)

    const oddName = '\u202EA\u2028da \u{1F3F4}\u{E0067}\u{E007F}\u{E0041}'
    const cleanName = 'A da \u{1F3F4}\u{E0067}\u{E007F}'
    const gateOf = (label: string) => ({
      default_tier: 'a',
      tiers: {
        z: { label, description: oddName, requirements: [], access: ['*'] },
        a: { requirements: [], access: ['*'] },
      },
    })

    async function addOddNames() {
      const typeData = { venue: oddName, authors: [oddName, 'Bob'], abstract: oddName }
      const id = await addProfile(owner, 'odd-names', {})
      await sql`update upgraded.profiles set full_name = ${oddName}, skills = ${['a', oddName]}, bio = ${oddName},
        type_data = ${JSON.stringify(typeData)} where id = ${id}`.execute(db)
      await sql`update upgraded.gates set config = ${JSON.stringify(gateOf(oddName))} where profile_id = ${newcomer}`.execute(
        db,
      )
    }

    beforeAll(async () => {
      const applied = [await migrate(db, 'upgraded', until('0007'))]
      await addAccount(owner, 'owner')
      await addProfile(owner, 'owner', { custom: odd })
      await sql`insert into upgraded.events (id, type, data, at) values (${owner}, 'test.one', ${odd}, now())`.execute(
        db,
      )
      applied.push(await migrate(db, 'upgraded', until('0041')))
      await addPurchases()
      applied.push(await migrate(db, 'upgraded', until('0043')))
      await addGates()
      applied.push(await migrate(db, 'upgraded', until('0120')))
      await addPost(['i\u0307stanbul', 'istanbul', 'ankara'])
      await addPost(['i\u0307zmir'])
      applied.push(await migrate(db, 'upgraded', until('0123')))
      await addImage()
      await addPage('inline', `![a](/files/${image})`)
      applied.push(await migrate(db, 'upgraded', until('0130')))
      await addPage('defined', `![a][x]\n\n[x]: /files/${image}`)
      await addWebhook('renamed', ['entity.sections_changed', 'content.*', 'com.example.entity.sections_changed'])
      await addWebhook('unchanged', ['entity.*'])
      applied.push(await migrate(db, 'upgraded', until('0131')))
      await addOddNames()
      applied.push(await migrate(db, 'upgraded', migrations))
      expect(applied.flat()).toEqual(Object.keys(migrations))
    })

    it('finds the images of pages that earlier releases stored, each page once', async () => {
      const { files } = createStores(db as Kysely<Database>, 'upgraded')
      const [first, ...none] = await files.refreshShown(1, 0)
      const second = await files.refreshShown(5, 0)
      expect([none.length, second.length, second[0]?.profileId]).toEqual([0, 1, first?.profileId])
      expect(await files.refreshShown(5, 0)).toEqual([])
      const { rows } = await sql`select slug, file_ids::text as files from upgraded.pages order by id`.execute(db)
      expect(rows).toEqual(['inline', 'defined'].map((slug) => ({ slug, files: `{${image}}` })))
    })

    it('subscribes webhooks to the new names of types, and keeps them to be found again', async () => {
      const { rows } = await sql<{ id: string; types: readonly string[]; fingerprint: string }>`
        select id, event_types as types, fingerprint from upgraded.webhooks order by id`.execute(db)
      const renamed = ['entity.sections.changed', 'content.*', 'com.example.entity.sections.changed']
      expect(rows).toEqual([
        { id: 'renamed', types: renamed, fingerprint: fingerprintOf(renamed) },
        { id: 'unchanged', types: ['entity.*'], fingerprint: fingerprintOf(['entity.*']) },
      ])
    })

    it('cleans stored names of characters that reorder text, and keeps other texts', async () => {
      const { rows } = await sql`select full_name, skills, bio, type_data from upgraded.profiles
        where username = 'odd-names'`.execute(db)
      expect(rows).toEqual([
        {
          full_name: cleanName,
          skills: ['a', cleanName],
          bio: oddName,
          type_data: { venue: cleanName, authors: [cleanName, 'Bob'], abstract: oddName },
        },
      ])
      const gates = await sql<{ text: string }>`select config::text as text from upgraded.gates
        where profile_id = ${newcomer}`.execute(db)
      const stored = JSON.parse(gates.rows[0]?.text ?? '')
      expect(stored).toEqual(gateOf(cleanName))
      expect(Object.keys(stored.tiers)).toEqual(['z', 'a'])
    })

    it('keeps the records of earlier releases', async () => {
      const { rows } = await sql`
        select withdrawn_at, data::text as data from upgraded.profiles, upgraded.events where username = 'owner'`.execute(
        db,
      )
      expect(rows).toEqual([{ withdrawn_at: null, data: odd }])
    })

    it('assigns purchases to accounts that bought before purchases belonged to accounts', async () => {
      const { rows } = await sql`
        select resource_pattern as pattern, payer_wallet_address as holder, receipt_id as receipt, given_tier as given,
          extract(year from valid_until)::int as until
        from upgraded.entitlements where payer_network = 'account' order by 1`.execute(db)
      expect(rows).toEqual([
        { pattern: 'content.a', holder: buyer, receipt: 'longer', given: null, until: 2031 },
        { pattern: 'content.b', holder: buyer, receipt: 'ever', given: null, until: null },
      ])
      const { rows: left } = await sql`select from upgraded.entitlements where payer_network = 'cash:test'`.execute(db)
      expect(left).toHaveLength(7)
    })

    it('folds the stored hashtags of posts without the dot of a Turkish capital letter', async () => {
      const { rows } = await sql<{ readonly tags: string }>`
        select string_agg(hashtag, ' ' order by hashtag) as tags from upgraded.feed_hashtags group by post_id order by post_id`.execute(
        db,
      )
      expect(rows).toEqual([{ tags: 'ankara istanbul' }, { tags: 'izmir' }])
    })

    it('binds the allowlists of gates that were saved before binding existed', async () => {
      const { rows } = await sql`
        select profile_id::int as id, bound_dids from upgraded.gates order by profile_id`.execute(db)
      expect(rows).toEqual([
        { id: ada, bound_dids: { 'did:web:profiles.example:u:ada': ada, 'did:web:profiles.example:o:ada': house } },
        { id: house, bound_dids: bound },
        { id: newcomer, bound_dids: {} },
      ])
    })
  })

  it('changes only the given schema', async () => {
    await migrate(db, 'one', { '0001_a': ['create table a ()'] })
    await migrate(db, 'other', { '0001_b': ['create table b ()'] })
    expect(await tables('one')).toEqual(['a', 'migrations'])
    expect(await tables('other')).toEqual(['b', 'migrations'])
    expect(await tables('public')).toEqual([])
    const path = await sql<{ search_path: string }>`show search_path`.execute(db)
    expect(path.rows[0]?.search_path).toBe('public')
  })

  it('rolls back all migrations when one fails, and names it', async () => {
    const failing = {
      '0001_good': ['create table good ()'],
      '0002_bad': ['create table half ()', 'create tabel bad ()'],
    }
    await expect(migrate(db, 'failing', failing)).rejects.toThrow('Migration 0002_bad failed and nothing was changed')
    expect(await tables('failing')).toEqual([])

    const mended = { ...failing, '0002_bad': ['create table half ()'] }
    expect(await migrate(db, 'failing', mended)).toEqual(['0001_good', '0002_bad'])
  })

  it('refuses a database that was migrated by an edited migration', async () => {
    await migrate(db, 'edited', { '0001_a': ['create table a ()'] })
    const edited = { '0001_a': ['create table a (n int)'], '0002_b': ['create table b ()'] }
    await expect(migrate(db, 'edited', edited)).rejects.toThrow('a different version of 0001_a')
    expect(await migrationStatus(db, 'edited', edited)).toMatchObject({ changed: ['0001_a'], pending: ['0002_b'] })
  })

  it('lets an older release run on the database of a newer one', async () => {
    await migrate(db, 'newer', { '0001_a': ['create table a ()'], '0002_b': ['create table b ()'] })
    const older = { '0001_a': ['create table a ()'] }
    expect(await migrate(db, 'newer', older)).toEqual([])
    expect(await migrationStatus(db, 'newer', older)).toMatchObject({ unknown: ['0002_b'], pending: [] })
  })

  it('reports missing migrations, and how to apply them', async () => {
    await expect(assertMigrated(db, 'absent', { '0001_a': [] })).rejects.toThrow(
      'The schema "absent" lacks 0001_a: call storage.migrate() before the service starts, or run `eep-postgres migrate`',
    )
  })
})
