import { describe, expect, it } from 'vitest'
import { passagesOf } from './passages.ts'

const wordsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `w${first + index}`).join(' ')
const document = { title: 'Engines', keywords: ['steam'], excerpt: 'About engines', body: '' }

describe('passages', () => {
  it('returns one passage for a short text, after its title, keywords and excerpt', () => {
    expect(passagesOf({ ...document, body: 'They run.' })).toEqual([
      { text: 'Engines\nsteam\nAbout engines\nThey run.', start: 0 },
    ])
    expect(passagesOf({ ...document, keywords: [], excerpt: ' ' })).toEqual([{ text: 'Engines', start: 0 }])
    expect(passagesOf({ title: '', keywords: [], excerpt: '', body: ' \n' })).toEqual([])
  })

  it('repeats the last 40 words of a part of 400 in the next one', () => {
    const body = wordsFrom(0, 1_000)
    const parts = passagesOf({ ...document, body })
    expect(parts).toHaveLength(3)
    expect(parts[1]?.text).toBe(`Engines\n${wordsFrom(360, 400)}`)
    expect(body.slice(parts[1]?.start)).toMatch(/^w360 /)
    expect(parts[2]?.text).toBe(`Engines\n${wordsFrom(720, 280)}`)
  })

  it('divides texts without spaces, and stops after 64 parts', () => {
    const parts = passagesOf({ ...document, body: '検'.repeat(9_000) })
    expect(parts.length).toBeGreaterThan(2)
    for (const { text } of parts) expect(text.length).toBeLessThan(4_000)
    expect(passagesOf({ ...document, body: wordsFrom(0, 100_000) })).toHaveLength(64)
  })
})
