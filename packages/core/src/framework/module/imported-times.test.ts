import { expect, it } from 'vitest'
import { importedTime, importedTimes } from './imported-times.ts'

const [past, now, future] = ['2020-01-01', '2026-01-01', '2999-01-01'].map((day) => new Date(day)) as [Date, Date, Date]

it('keeps a time of the past, and moves others to now or 1970', () => {
  const times = [past, future, new Date('0001-01-01')].map((time) => importedTime(time, now))
  expect(times).toEqual([past, now, new Date(0)])
})

it('never has a last change before the creation', () => {
  expect(importedTimes({ created_at: now, updated_at: past }, now)).toEqual({ createdAt: now, updatedAt: now })
  expect(importedTimes({ created_at: past, updated_at: future }, now)).toEqual({ createdAt: past, updatedAt: now })
})
