import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { migratedDump } from '../../test/support/migrated-pglite.ts'
import { gates, gateVersions, type Pool } from './own-storage.ts'

it('counts the versions of a configuration', async () => {
  const pool: Pool = await PGlite.create({ loadDataDir: await migratedDump() })
  await pool.query(
    `create table gates
       (profile_id bigint primary key, config json, bound_dids json, version int, updated_at timestamptz)`,
    [],
  )
  await pool.query(
    `create table gate_versions
       (profile_id bigint, version int, config json, bytes int, changed_by text, changed_at timestamptz)`,
    [],
  )
  const gate = {
    profileId: 1,
    config: { default_tier: 'free', tiers: { free: { requirements: [], access: ['*'] } } },
    boundDids: { 'did:web:example.com:u:ada': 7 },
    updatedAt: new Date(),
  }

  expect(await gates(pool).get(1)).toBeUndefined()
  expect(await gates(pool).put({ ...gate, changedBy: 'ada' })).toEqual({ ...gate, version: 1 })
  expect(await pool.transaction((sql) => gates(sql).put({ ...gate, changedBy: 'ada' }))).toEqual({
    ...gate,
    version: 2,
  })
  expect(await gates(pool).get(1)).toEqual({ ...gate, version: 2 })
  const { items, total, nextCursor } = await gateVersions(pool).list(1, { limit: 1 })
  expect([items.map(({ version, changedBy }) => [version, changedBy]), total]).toEqual([[[2, 'ada']], 2])
  const rest = await gateVersions(pool).list(1, { limit: 1, cursor: nextCursor })
  expect(rest.items.map(({ version }) => version)).toEqual([1])
  expect(await gateVersions(pool).get(1, 1)).toMatchObject({ version: 1, config: gate.config, changedBy: 'ada' })
  expect(await gateVersions(pool).prune(1, 1)).toBe(1)
  expect(await gateVersions(pool).get(1, 1)).toBeUndefined()
  await pool.close()
})
