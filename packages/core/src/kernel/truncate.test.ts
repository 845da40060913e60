import { expect, it } from 'vitest'
import { truncateLine } from './truncate.ts'

it.each([
  ['a text that fits', 'abc', 3, 'abc'],
  ['a longer text', 'abcd', 3, 'ab…'],
  ['a text with line breaks', ' a\n\n b\t c ', 9, 'a b c'],
  ['characters outside of the basic plane', '😀😀😀', 3, '😀😀😀'],
  ['more of them', '😀😀😀😀', 3, '😀😀…'],
])('shortens %s', (_, text, max, line) => {
  expect(truncateLine(text, max)).toBe(line)
})
