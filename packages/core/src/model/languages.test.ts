import { describe, expect, it } from 'vitest'
import { directionOf, LANGUAGES, namedLanguage, pickLanguage, shippedLanguage } from './languages.ts'

const pick = (header: string | undefined) => pickLanguage(header, LANGUAGES, 'en')

describe('languages', () => {
  it('writes Arabic from right to left and the others from left to right', () => {
    expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar'])
  })
})

describe('the language of a header', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['ja-JP-u-ca-japanese', 'ja'],
    ['fr, ar', 'ar'],
    ['fr-CH, fr;q=0.9, ar;q=0.8, de;q=0.7, *;q=0.5', 'ar'],
  ])('takes %s as %s', (header, language) => {
    expect(pick(header)).toBe(language)
  })

  it('prefers the higher quality, and the earlier of equals', () => {
    expect(pick('en;q=0.5, de;q=0.9, ja;q=0.7')).toBe('de')
    expect(pick('ja, de')).toBe('ja')
    expect(pick('de;q=0.8, ja;q=0.8')).toBe('de')
    expect(pick('ar ; q=0.3 , ja;q=0.31')).toBe('ja')
  })

  it('takes a regional tag before its language and others that are wanted less', () => {
    expect(pick('de-AT, ja;q=0.9, de;q=0.8')).toBe('de')
    expect(pick('de-AT, en')).toBe('de')
  })

  it('takes the fallback for the wildcard', () => {
    expect(pick('*;q=0.9, ja;q=0.1')).toBe('en')
    expect(pickLanguage('fr, *;q=0.1', LANGUAGES, 'ja')).toBe('ja')
  })

  it('never picks a language whose quality is zero', () => {
    expect(pickLanguage('de;q=0, *;q=0.5', ['de', 'ja'], 'de')).toBe('ja')
    expect(pick('en;q=0, de;q=0.1')).toBe('de')
    expect(pick('de;q=0, ja;q=0, de, ja, en;q=0.001')).toBe('en')
  })

  it('gives the fallback when the header is missing, malformed, or names nothing offered', () => {
    expect(['', ',,;', 'fr', 'd', 'deu', 'de;q=2', 'de;q=x', 'en_US', undefined].map(pick)).toEqual(Array(9).fill('en'))
    expect(pickLanguage('de', ['en', 'ja'], 'ja')).toBe('ja')
    expect(pickLanguage('de', [], 'en')).toBe('en')
  })

  it('skips a malformed part and reads the others', () => {
    expect(pick('de;q=high, ja;q=0.4')).toBe('ja')
  })

  it('reads headers of any length', () => {
    expect(pick(`${'fr,'.repeat(100_000)}de`)).toBe('en')
    expect(pick(`de,${'fr,'.repeat(100_000)}`)).toBe('de')
  })
})

it('names an offered language only where the header does', () => {
  expect(namedLanguage('nl, de-AT;q=0.8, en;q=0.5', LANGUAGES)).toBe('de')
  for (const header of [undefined, '', '*', 'nl', 'de;q=0, *']) expect(namedLanguage(header, LANGUAGES)).toBeUndefined()
})

it('finds the shipped language of a regional tag', () => {
  expect(shippedLanguage('de-AT')).toBe('de')
  expect(shippedLanguage('den')).toBeUndefined()
})
