import { expect, it } from 'vitest'
import { rankEntries } from './rank-entries.ts'

const entries = [
  { id: 1, text: 'Ada likes tea in the morning' },
  { id: 2, text: 'Grace likes coffee' },
  { id: 3, text: 'Tea, tea and more tea for the team of Ada' },
  { id: 4, text: 'Nothing else' },
]
const idsOf = async (query: string, isAny = false) => (await rankEntries(entries, query, isAny)).map(({ id }) => id)

it('finds texts that have all words, without regard to case and accents', async () => {
  expect((await idsOf('TÉA ada')).toSorted()).toEqual([1, 3])
  expect(await idsOf('tea coffee')).toEqual([])
  expect(await idsOf('')).toEqual([])
  expect(await idsOf('?!')).toEqual([])
})

it('finds texts that have any of the words, those with rare ones first', async () => {
  expect((await idsOf('ada coffee', true))[0]).toBe(2)
  expect((await idsOf('ada coffee', true)).toSorted()).toEqual([1, 2, 3])
})

it('scores the best text 1, and others less', async () => {
  const [best, other] = await rankEntries(entries, 'tea', false)
  expect(best).toEqual({ id: 3, score: 1 })
  expect(other?.id).toBe(1)
  expect(other?.score).toBeGreaterThan(0)
  expect(other?.score).toBeLessThan(1)
})

it('reads long words in linear time', async () => {
  const hostile = 'a'.repeat(1_000_000)
  expect(await rankEntries([{ id: 1, text: hostile }], hostile, true)).toEqual([{ id: 1, score: 1 }])
})

it('ranks by the first 32 words of a query', async () => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`)
  const texts = [
    { id: 1, text: words.slice(0, 32).join(' ') },
    { id: 2, text: words.slice(32).join(' ') },
  ]
  expect(await rankEntries(texts, words.join(' '), false)).toEqual([{ id: 1, score: 1 }])
  expect(await rankEntries(texts, words.join(' '), true)).toEqual([{ id: 1, score: 1 }])
})

it('reads no texts after those that are too long together when they are normalized', async () => {
  const read: number[] = []
  function* texts() {
    for (let id = 1; id <= 5; id++) {
      read.push(id)
      yield { id, text: `tea ${'\uFDFA'.repeat(10)}` }
    }
  }
  const ranked = await rankEntries(texts(), 'tea', false, 2 * (4 + 18 * 10))
  expect(ranked.map(({ id }) => id)).toEqual([2, 1])
  expect(read).toEqual([1, 2, 3])
})

it('lets other work run between long texts', async () => {
  const text = `tea ${'\uFDFA'.repeat(10_000)}`
  const texts = Array.from({ length: 5 }, (_, id) => ({ id, text }))
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await rankEntries(texts, 'tea', false)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(4)
})
