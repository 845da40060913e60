import { expect, it } from 'vitest'
import { readingMinutes, readingText } from './reading-time.ts'

it('counts 250 words or 500 characters of Japanese a minute, and at least one minute', () => {
  expect(readingMinutes(0)).toBe(1)
  expect(readingMinutes(Buffer.byteLength('seven '.repeat(2_500)))).toBe(10)
  expect(readingMinutes(Buffer.byteLength('読'.repeat(5_000)))).toBe(10)
})

it('writes the minutes in the language of the page', () => {
  expect(readingText({ language: 'en' }, 15_000)).toBe('10 min')
  expect(readingText({ language: 'de' }, 15_000)).toBe('10 Min.')
  expect(readingText({ language: 'ja' }, 15_000)).toBe('10 分')
})
