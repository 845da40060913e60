import { Kysely, PostgresDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { storesIn, storesOn } from './all-stores.ts'
import type { Database } from './database.ts'
import { kyselyOf } from './kysely-of.ts'

const db = new Kysely<Database>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('no connection is needed')) }),
})

describe('the stores of a transaction', () => {
  it('are those of a connection', () => {
    const tx = storesIn(db, 'eep')
    expect(Object.keys(tx)).toEqual(Object.keys(storesOn(db, 'eep')))
    expect(['accounts' in tx, 'toString' in tx, 'constructor' in tx]).toEqual([true, false, false])
  })

  it('are created once each', () => {
    const tx = storesIn(db, 'eep')
    expect(tx.accounts).toBe(tx.accounts)
    expect(storesIn(db, 'eep').accounts).not.toBe(tx.accounts)
  })

  it('are in a copy too, with the Kysely of the transaction', () => {
    const tx = storesIn(db, 'eep')
    const copy = { ...tx, pages: storesIn(db, 'other').pages }
    expect(copy.accounts).toBe(tx.accounts)
    expect(copy.pages).not.toBe(tx.pages)
    expect(kyselyOf(copy)).toBe(db)
  })
})
