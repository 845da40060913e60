import { Client, Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { createDatabase, createDatabaseFrom, onPglite } from './database.ts'

describe.skipIf(onPglite())('databases for tests', () => {
  it('are empty, separate and gone after drop, also right after a pool was closed', async () => {
    const [one, other] = await Promise.all([createDatabase(), createDatabase()])
    const pool = new Pool({ connectionString: one.connectionString })
    await Promise.all([1, 2, 3].map(() => pool.query('create table if not exists t ()').catch(() => undefined)))
    await Promise.all([pool.end(), one.drop()])
    await expect(new Client({ connectionString: one.connectionString }).connect()).rejects.toThrow('does not exist')

    const client = new Client({ connectionString: other.connectionString })
    await client.connect()
    expect((await client.query("select to_regclass('t') as t")).rows).toEqual([{ t: null }])
    await client.end()
    await other.drop()
  })

  it('are copied from one that was prepared once', async () => {
    let prepared = 0
    const prepare = async (connectionString: string) => {
      prepared++
      const client = new Client({ connectionString })
      await client.connect()
      await client.query('create table copied (n int)')
      await client.end()
    }
    const copies = await Promise.all([1, 2, 3].map(() => createDatabaseFrom('trial', prepare)))
    expect(prepared).toBe(1)
    for (const { connectionString, drop } of copies) {
      const client = new Client({ connectionString })
      await client.connect()
      expect((await client.query('select count(*) from copied')).rows).toEqual([{ count: '0' }])
      await client.end()
      await drop()
    }
  })
})
