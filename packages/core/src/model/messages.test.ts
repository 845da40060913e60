import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { defineMessages } from './messages.ts'

const english = {
  'quotes.title': 'Quotes',
  'quotes.found.one': '{count} quote',
  'quotes.found.other': '{count} quotes',
  'quotes-mail.subject': 'New quotes',
}
const arabic = {
  'quotes.title': 'اقتباسات',
  'quotes.found.zero': 'صفر {count}',
  'quotes.found.one': 'واحد {count}',
  'quotes.found.two': 'اثنان {count}',
  'quotes.found.few': 'قليل {count}',
  'quotes.found.many': 'كثير {count}',
  'quotes.found.other': 'غير ذلك {count}',
}
const messages = defineMessages(english, { ar: arabic, ja: { 'quotes.found.other': '{count} 件' } })('quotes')

describe('the forms of a text', () => {
  it('are selected by the plural rules of the language', () => {
    const forms = [0, 1, 2, 3, 11, 100].map((count) => messages({ language: 'ar' })('found', { count }))
    expect(forms).toEqual(['صفر 0', 'واحد 1', 'اثنان 2', 'قليل 3', 'كثير 11', 'غير ذلك 100'])
    expect([1, 2].map((count) => messages({})('found', { count }))).toEqual(['1 quote', '2 quotes'])
    expect([1, 2].map((count) => messages({ language: 'ja' })('found', { count }))).toEqual(['1 件', '2 件'])
  })

  it('can be translated by the host', () => {
    const translations = { fr: { 'quotes.found.one': '{count} devis', 'quotes.found.other': '{count} offres' } }
    const say = messages({ language: 'fr', translations })
    expect([0, 2].map((count) => say('found', { count }))).toEqual(['0 devis', '2 offres'])
  })
})

describe('a text without a translation', () => {
  it('is English, with the plural rules of English', () => {
    expect(messages({ language: 'ja' })('title')).toBe('Quotes')
    expect(messages({ language: 'fr' })('found', { count: 0 })).toBe('0 quotes')
  })
})

describe('a folder of texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eep-texts-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const inFolder = defineMessages(english, pathToFileURL(`${folder}/`))('quotes')

  it('is read at the first use of a language', () => {
    expect(inFolder({})('title')).toBe('Quotes')
    writeFileSync(join(folder, 'de.json'), JSON.stringify({ 'quotes.title': 'Zitate' }))
    expect(inFolder({ language: 'de' })('title')).toBe('Zitate')
    rmSync(join(folder, 'de.json'))
    expect(inFolder({ language: 'de' })('title')).toBe('Zitate')
  })

  it('has files for languages only', () => {
    writeFileSync(join(folder, 'x.json'), JSON.stringify({ 'quotes.title': 'X' }))
    expect(inFolder({ language: '../x' })('title')).toBe('Quotes')
    expect(inFolder({ language: './x' })('title')).toBe('Quotes')
  })
})
