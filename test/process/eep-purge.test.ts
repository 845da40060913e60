import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { onPglite } from '../support/database.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openOperated } from '../support/operator.ts'
import { soon } from '../support/wait.ts'

describe.skipIf(onPglite())('eep purge', () => {
  let host: Awaited<ReturnType<typeof openOperated>>
  beforeAll(async () => {
    host = await openOperated()
  })
  afterAll(() => host.close())
  beforeEach(async () => {
    expect((await host.run('purge')).code).toBe(0)
  })

  const dryRun = async () => {
    const { code, out } = await host.run('purge', '--dry-run', '--json')
    expect(code).toBe(0)
    return JSON.parse(out) as {
      readonly complete: boolean
      readonly tables: Readonly<Record<string, number>>
      readonly files: number
    }
  }

  /** The numbers of rows of the tables of accounts. */
  async function rows() {
    const { rows } = await host.pool.query<{ accounts: number; profiles: number; sessions: number }>(
      `select (select count(*)::int from eep.accounts) as accounts, (select count(*)::int from eep.profiles) as profiles,
         (select count(*)::int from eep.sessions) as sessions`,
    )
    return rows[0] as { accounts: number; profiles: number; sessions: number }
  }

  const newAccount = () => signUp(host.app, `leaver-${randomUUID().slice(0, 8)}`)
  const endGracePeriod = ({ account }: Person) =>
    host.pool.query(`update eep.accounts set deletion_scheduled_at = now() - interval '1 day' where id = $1`, [
      account.id,
    ])
  const storedFiles = async () =>
    (await readdir(host.files, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length

  it('counts by table what a purge would delete, and deletes nothing', async () => {
    await endGracePeriod(await newAccount())
    const before = await rows()
    const { complete, tables } = await dryRun()
    expect(complete).toBe(true)
    expect(tables).toMatchObject({ accounts: 1, profiles: 1, sessions: 1 })
    expect(await rows()).toEqual(before)
  })

  it('deletes what the dry run counted', async () => {
    await endGracePeriod(await newAccount())
    const { tables } = await dryRun()
    const before = await rows()
    expect((await host.run('purge')).code).toBe(0)
    const after = await rows()
    expect(before.profiles - after.profiles).toBe(tables.profiles)
    expect(before.accounts - after.accounts).toBe(tables.accounts)
  })

  it('counts files of deleted accounts without removing their bytes', async () => {
    const person = await newAccount()
    const parts = [field('username', person.account.username), fileOf('Some bytes')]
    expect((await upload(host.app, parts, person.headers)).statusCode).toBe(200)
    await endGracePeriod(person)
    const before = await storedFiles()
    expect(before).toBeGreaterThan(0)
    expect((await dryRun()).files).toBe(1)
    expect(await storedFiles()).toBe(before)
  })

  it('counts expired records of accounts that stay', async () => {
    const { account } = await newAccount()
    await host.pool.query(`update eep.sessions set expires_at = now() - interval '1 day' where account_id = $1`, [
      account.id,
    ])
    expect((await dryRun()).tables).toEqual({ sessions: 1 })
  })

  it('counts and deletes what is older than its retention period', async () => {
    const { account, post } = await newAccount()
    const key = (await post('/api-keys', { name: 'a key', scopes: ['read:profiles'] })).json<{ id: number }>()
    const profileId = account.active_profile_id
    for (const statement of [
      `insert into eep.admin_audit (action, target, before, after, at)
       select 'a', 'b', '{}', '{}', now() - age from unnest('{11 years, 9 years}'::interval[]) as age`,
      `insert into eep.reports (id, subject_type, subject_id, status, reported_profile_id, created_at, updated_at)
       select gen_random_uuid(), 'post', status, status, ${profileId}, now() - interval '11 years', now() - interval '11 years'
       from unnest('{open, resolved}'::text[]) as status`,
      `insert into eep.analytics_days (profile_id, day, metric, key, count)
       select ${profileId}, now() - age, 'views', '', 1 from unnest('{11 years, 9 years}'::interval[]) as age`,
      `update eep.api_keys set revoked_at = now() - interval '11 years' where id = ${key.id}`,
    ]) {
      await host.pool.query(statement)
    }
    const due = { admin_audit: 1, reports: 1, analytics_days: 1, api_keys: 1 }
    expect((await dryRun()).tables).toEqual(due)
    expect((await host.run('purge')).code).toBe(0)
    expect((await dryRun()).tables).toEqual({})
  })

  it('keeps events that changelogs show longer than others', async () => {
    const { account, post } = await newAccount()
    const page = { profile_id: account.active_profile_id, title: 'Notes', body: '', status: 'published' }
    expect((await post('/manage/pages', page)).statusCode).toBe(201)
    const typesAfter = async (age: string) => {
      await host.pool.query(`update eep.events set at = now() - $1::interval`, [age])
      expect((await host.run('purge')).code).toBe(0)
      const { rows } = await host.pool.query<{ type: string }>('select distinct type from eep.events')
      return rows.map(({ type }) => type)
    }
    // Events are deleted once no transaction of the server can add one before them, and other databases have transactions too.
    await soon(async () => {
      const types = await typesAfter('8 days')
      expect(types).toContain('content.page_saved')
      expect(types).not.toContain('accounts.account_registered')
    })
    await soon(async () => expect(await typesAfter('11 years')).not.toContain('content.page_saved'))
  })

  it('prints a line for each table', async () => {
    await endGracePeriod(await newAccount())
    const { out } = await host.run('purge', '--dry-run')
    expect(out).toMatch(/^Would be deleted:\n *\d+ {2}rows of \w+\n/)
  })

  it('reports when nothing is due', async () => {
    expect((await host.run('purge', '--dry-run')).out).toBe('Nothing would be deleted\n')
  })
})
