import { expect, it } from 'vitest'
import { foldWord, queryTermsOf, tokensOf } from './text-words.ts'

const wordsOf = (text: string) => [...tokensOf(text)].map(({ word }) => word)

it('folds case, accents and compatibility forms, and keeps vowel marks of other scripts', () => {
  expect(['ÉCOLE', 'Straße', 'Καφές', 'ﬁne', 'Район', 'किताबें', 'ﾃﾞｰﾀ'].map(foldWord)).toEqual([
    'ecole',
    'strasse',
    'καφεσ',
    'fine',
    'район',
    'किताबें',
    'データ',
  ])
})

it('splits words where the script changes to one without spaces', () => {
  expect(wordsOf('Привет, iPhone用アプリ!')).toEqual(['привет', 'iphone', '用アプリ'])
})

it.each(['ﾄﾞﾗﾏ', 'ドラマ'.normalize('NFD'), 'ドラマ'])('reads %s as one run in each of its spellings', (text) => {
  expect(wordsOf(text)).toEqual(['ドラマ'])
})

it('splits a sentence without spaces into pairs of characters, and keeps the spelling of other words', () => {
  expect(queryTermsOf('図書館 は Тёплый Чай чай')).toEqual([
    { word: '図書', text: '図書' },
    { word: '書館', text: '書館' },
    { word: 'は', text: 'は' },
    { word: 'теплый', text: 'Тёплый' },
    { word: 'чай', text: 'Чай' },
  ])
  expect(queryTermsOf('?!')).toEqual([])
})

it('returns the first 32 different words of a query', () => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`)
  expect(queryTermsOf(words.join(' ')).map(({ word }) => word)).toEqual(words.slice(0, 32))
  expect(queryTermsOf('東京'.repeat(40))).toHaveLength(2)
})

it('returns a word with joiners as its parts, and names its spelling without them at the first', () => {
  expect([...tokensOf('آن نمی\u200cخواهم\u200cها رفت')]).toEqual([
    { word: 'ان', isUnspaced: false, start: 0, end: 2 },
    { word: 'نمی', isUnspaced: false, start: 3, end: 6, joined: { word: 'نمیخواهمها', end: 15 } },
    { word: 'خواهم', isUnspaced: false, start: 7, end: 12 },
    { word: 'ها', isUnspaced: false, start: 13, end: 15 },
    { word: 'رفت', isUnspaced: false, start: 16, end: 19 },
  ])
  expect(queryTermsOf('می\u200cخواهم')).toEqual([
    { word: 'می', text: 'می', joined: 'میخواهم' },
    { word: 'خواهم', text: 'خواهم' },
  ])
  for (const text of ['a \u200cb', 'a\u200c b', '東\u200d京', '👩\u200d🚀 a']) {
    expect(
      [...tokensOf(text)].some(({ joined }) => joined !== undefined),
      text,
    ).toBe(false)
  }
})
