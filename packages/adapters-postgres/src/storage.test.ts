import { PGlite } from '@electric-sql/pglite'
import { PGliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDump } from '../../../test/support/migrated-pglite.ts'
import { sqlStorage } from './storage.ts'

describe('sqlStorage', () => {
  let pglite: PGlite
  let storage: ReturnType<typeof sqlStorage>
  beforeAll(async () => {
    pglite = await PGlite.create({ loadDataDir: await migratedDump() })
    storage = sqlStorage({ dialect: new PGliteDialect({ pglite }) })
  })
  afterAll(() => storage.close())

  it('refuses connections whose dates it would misread', async () => {
    await pglite.exec(`set datestyle to 'SQL, DMY'`)
    const misread = sqlStorage({ dialect: new PGliteDialect({ pglite }) })
    const refusal = 'Dates are returned as "SQL, DMY": set DateStyle to ISO for the role or the database'
    await expect(misread.ping()).rejects.toThrow(refusal)
    await expect(misread.migrate()).rejects.toThrow(refusal)
    await pglite.exec('reset datestyle')
  })

  it('returns the same records with a dialect whose driver has other types', async () => {
    const account = {
      id: crypto.randomUUID(),
      email: 'ada@example.com',
      username: 'ada',
      fullName: null,
      passwordHash: null,
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
    }
    const profile = {
      ownerAccountId: account.id,
      type: 'person' as const,
      username: 'ada',
      fullName: null,
      bio: null,
      avatarUrl: null,
      coverUrl: null,
      accent: null,
      email: null,
      skills: ['a "quoted", one', '{}', ''],
      socials: {},
      keywords: [],
      agentInstructions: null,
      agentRules: null,
      capabilities: [],
      customFields: { zeta: 1, alpha: [null, { text: '\0 and \ud800' }] },
      typeData: {},
      visibility: 'public' as const,
      visibilityOnceVerified: null,
      apps: 'allowed' as const,
      createdAt: account.createdAt,
    }
    const event = {
      id: crypto.randomUUID(),
      type: 'test.one',
      profileId: null,
      accountId: null,
      data: {},
      at: account.createdAt,
    }
    const written = await storage.transaction(async (tx) => {
      await tx.accounts.insert(account)
      const [stored] = await tx.events.append([event])
      return { profile: await tx.profiles.insert(profile), event: stored }
    })

    expect(written).toEqual({
      profile: { ...profile, id: 1, updatedAt: profile.createdAt, withdrawnAt: null },
      event: { ...event, cursor: expect.stringMatching(/^0-\d+-1$/) },
    })
    expect(Object.keys(written.profile?.customFields ?? {})).toEqual(['zeta', 'alpha'])
    expect(await storage.read.profiles.get(1)).toEqual(written.profile)
    expect(await storage.read.profiles.listOfAccount(account.id, { limit: 1 })).toMatchObject({ total: 1 })
    expect(await storage.read.events.head()).toBe(written.event?.cursor)
  })

  it('appends more events in one call than a statement can have parameters', async () => {
    await storage.migrate()
    const events = Array.from({ length: 8_500 }, (_, index) => ({
      id: crypto.randomUUID(),
      type: 'test.one',
      profileId: null,
      accountId: null,
      data: { index },
      at: new Date(),
    }))
    const stored = await storage.transaction((tx) => tx.events.append(events))
    expect(stored.map(({ data }) => data.index)).toEqual(events.map(({ data }) => data.index))
    expect(await storage.read.events.head()).toBe(stored.at(-1)?.cursor)
  })

  it('refuses a schema name that would have to be quoted', () => {
    for (const schema of ['', 'Eep', 'e-e', '1st', 'e'.repeat(52), 'a"b']) {
      const dialect = new PGliteDialect({ pglite: () => Promise.reject(new Error('not opened')) })
      expect(() => sqlStorage({ dialect, schema })).toThrow('is not a valid schema name')
    }
  })
})
