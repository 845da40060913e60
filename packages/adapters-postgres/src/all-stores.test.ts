import { Kysely, PostgresDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createStores, createTransactionStores } from './all-stores.ts'
import type { Database } from './database.ts'
import { kyselyOf } from './kysely-of.ts'

const db = new Kysely<Database>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('no connection is needed')) }),
})

it('a transaction has the same stores as a connection', () => {
  expect(Object.keys(createTransactionStores(db, 'eep'))).toEqual(Object.keys(createStores(db, 'eep')))
})

it('copies of the stores of a transaction have its Kysely', () => {
  const tx = createTransactionStores(db, 'eep')
  const copy = { ...tx, pages: createTransactionStores(db, 'other').pages }
  expect([kyselyOf(tx), kyselyOf(copy)]).toEqual([db, db])
  expect(copy.accounts).toBe(tx.accounts)
})
