import { expect, it } from 'vitest'
import { readingText } from './reading-time.ts'

const textIn = (language: string, body: string) => readingText({ language }, Buffer.byteLength(body))

it('counts 250 words or 500 characters of Japanese a minute, and at least one minute', () => {
  expect(textIn('en', '')).toBe('1 min')
  expect(textIn('en', 'seven '.repeat(2_500))).toBe('10 min')
  expect(textIn('ja', '読'.repeat(5_000))).toBe('10 分')
})

it('writes the minutes in the language of the page', () => {
  expect(textIn('de', 'seven '.repeat(2_500))).toBe('10 Min.')
})
