import { expect, it } from 'vitest'
import { HALF_LIFE_MS, recall, scoreOf, tokensOf } from './recall.ts'

const at = new Date('2026-06-01T00:00:00Z')
const before = (ms: number) => new Date(at.getTime() - ms)
const candidate = (changes: Partial<Parameters<typeof scoreOf>[0]> & { readonly content?: string } = {}) => ({
  relevance: 1,
  importance: 1,
  createdAt: at,
  content: 'twelve bytes',
  ...changes,
})

it('scores a new, important and relevant entry 1', () => {
  expect(scoreOf(candidate(), at)).toBe(1)
})

it('halves the score after a week, and again after the next one', () => {
  expect(scoreOf(candidate({ createdAt: before(HALF_LIFE_MS) }), at)).toBeCloseTo(0.5)
  expect(scoreOf(candidate({ createdAt: before(2 * HALF_LIFE_MS) }), at)).toBeCloseTo(0.25)
})

it('scores an entry of no importance a quarter, and one that does not fit the query 0', () => {
  expect(scoreOf(candidate({ importance: 0 }), at)).toBe(0.25)
  expect(scoreOf(candidate({ importance: 0.5 }), at)).toBe(0.625)
  expect(scoreOf(candidate({ relevance: 0 }), at)).toBe(0)
})

it('does not score an entry of the future above a new one', () => {
  expect(scoreOf(candidate({ createdAt: before(-HALF_LIFE_MS) }), at)).toBe(1)
})

it('counts a token for 4 bytes of UTF-8, rounded up, and 4 for the entry', () => {
  expect([tokensOf(''), tokensOf('a'), tokensOf('abcd'), tokensOf('abcde'), tokensOf('日本')]).toEqual([4, 5, 5, 6, 6])
})

it('returns the best entries that fit together, best first', () => {
  const best = candidate()
  const long = candidate({ relevance: 0.9, content: 'x'.repeat(100) })
  const good = candidate({ relevance: 0.8 })
  const poor = candidate({ relevance: 0.1 })
  const recalled = recall([poor, long, good, best], 14, at)
  expect(recalled.map((each) => each.candidate)).toEqual([best, good])
  expect(recalled.map(({ tokens }) => tokens)).toEqual([7, 7])
  expect(recall([poor, long, good, best], 13, at).map((each) => each.candidate)).toEqual([best])
  expect(recall([best], 6, at)).toEqual([])
})

it('prefers the newer of entries with equal scores, and leaves out those without relevance', () => {
  const older = candidate({ relevance: 1, createdAt: before(HALF_LIFE_MS) })
  const newer = candidate({ relevance: 0.5 })
  const unrelated = candidate({ relevance: 0 })
  expect(recall([older, newer, unrelated], 100, at).map((each) => each.candidate)).toEqual([newer, older])
})
