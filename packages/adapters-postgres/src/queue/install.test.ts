import { expect, it } from 'vitest'
import { QUEUE_TABLES } from './install.ts'
import { queueTables } from './queue-tables.ts'

it('creates the tables of the migration: another release of the queue needs another migration', () => {
  const version = /insert into "eep"\.version\(version\) values \('(\d+)'\)/i.exec(queueTables('eep').join(';'))?.[1]
  expect(QUEUE_TABLES.endsWith(`schema ${version}`), `the library makes schema ${version}`).toBe(true)
})

it('changes no setting of the transaction it is made in', () => {
  expect(queueTables('eep').filter((statement) => /^(begin|commit|set)\b/i.test(statement))).toEqual([])
})
