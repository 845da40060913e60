import { expect, it } from 'vitest'
import { rankEntries, wordsOf } from './rank-entries.ts'

const entries = [
  { id: 1, text: 'Ada likes tea in the morning' },
  { id: 2, text: 'Grace likes coffee' },
  { id: 3, text: 'Tea, tea and more tea for the team of Ada' },
  { id: 4, text: 'Nothing else' },
]
const idsOf = (query: string, isAny = false) => rankEntries(entries, query, isAny).map(({ id }) => id)

it('finds texts that have all words, without regard to case and accents', () => {
  expect(idsOf('TÉA ada').toSorted()).toEqual([1, 3])
  expect(idsOf('tea coffee')).toEqual([])
  expect(idsOf('')).toEqual([])
  expect(idsOf('?!')).toEqual([])
})

it('finds texts that have any of the words, those with rare ones first', () => {
  expect(idsOf('ada coffee', true)[0]).toBe(2)
  expect(idsOf('ada coffee', true).toSorted()).toEqual([1, 2, 3])
})

it('scores the best text 1, and others less', () => {
  const [best, other] = rankEntries(entries, 'tea', false)
  expect(best).toEqual({ id: 3, score: 1 })
  expect(other?.id).toBe(1)
  expect(other?.score).toBeGreaterThan(0)
  expect(other?.score).toBeLessThan(1)
})

it('reads words of any script in linear time', () => {
  expect(wordsOf('Привет, 日本語!')).toEqual(['привет', '日本語'])
  const hostile = 'a'.repeat(1_000_000)
  expect(rankEntries([{ id: 1, text: hostile }], hostile, true)).toEqual([{ id: 1, score: 1 }])
})
