import { expect, it } from 'vitest'
import { contentsMessages } from './messages.ts'

it.each([
  ['en', 1, 'One page'],
  ['en', 2, '2 pages'],
  ['de', 0, '0 Seiten'],
  ['ar', 2, 'صفحتان'],
  ['ar', 3, '3 صفحات'],
  ['ar', 11, '11 صفحة'],
  ['ja', 1, '1ページ'],
])('counts pages in %s with the plural of %i', (language, count, text) => {
  expect(contentsMessages({ language })('pages', { count })).toBe(text)
})
