import { expect, it } from 'vitest'
import { textDirection } from './text-direction.ts'

it.each([
  ['Ada', 'ltr'],
  ['12 ', 'ltr'],
  ['\u05D0\u05D3\u05D4 Ada', 'rtl'],
  ['1. \u0639\u0645\u0631', 'rtl'],
  ['\u200FAda', 'rtl'],
  ['Ada \u05D0', 'ltr'],
])('reads %j in the direction %s', (text, direction) => {
  expect(textDirection(text)).toBe(direction)
})
