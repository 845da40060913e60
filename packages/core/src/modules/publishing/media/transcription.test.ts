import { expect, it } from 'vitest'
import { tidied } from './transcription.ts'

const said = { text: ' Hello. ', language: 'en', segments: [], durationSeconds: 7 }
const segment = (startSeconds: number, endSeconds: number, text = 'Hello.') => ({ startSeconds, endSeconds, text })

it('keeps valid segments unchanged', () => {
  const segments = [segment(0, 1.5), segment(1.5, 7)]
  expect(tidied({ ...said, segments }, 9)).toEqual({ ...said, text: 'Hello.', segments })
})

it('puts segments in the order of time, and leaves out those that say nothing or have no time', () => {
  const segments = [segment(3, 2), segment(-1, 2), segment(Number.NaN, 2), segment(1, Number.NaN), segment(0, 1, ' ')]
  expect(tidied({ ...said, segments }, 9).segments).toEqual([segment(1, 1), segment(3, 3)])
})

it('uses the measured length when the transcriber reports none', () => {
  for (const durationSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    expect(tidied({ ...said, durationSeconds }, 9).durationSeconds).toBe(9)
  }
})

it('keeps nothing that a database does not take, and no end of text', () => {
  const odd = tidied({ ...said, text: `a\0b\uD800${'x'.repeat(3_000_000)}`, language: '<b>' }, 9)
  expect([odd.text.slice(0, 4), odd.language]).toEqual(['ab\uFFFDx', null])
  expect(odd.text.length).toBeLessThanOrEqual(2_000_000)
})
