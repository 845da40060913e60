import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { gates, type Pool } from './own-storage.ts'

it('counts the versions of a configuration', async () => {
  const pool: Pool = await PGlite.create()
  await pool.query(
    'create table gates (profile_id bigint primary key, config json, version int, updated_at timestamptz)',
    [],
  )
  const gate = {
    profileId: 1,
    config: { default_tier: 'free', tiers: { free: { requirements: [], access: ['*'] } } },
    updatedAt: new Date(),
  }

  expect(await gates(pool).get(1)).toBeUndefined()
  expect(await gates(pool).put(gate)).toEqual({ ...gate, version: 1 })
  expect(await pool.transaction((sql) => gates(sql).put(gate))).toEqual({ ...gate, version: 2 })
  expect(await gates(pool).get(1)).toEqual({ ...gate, version: 2 })
  await pool.close()
})
