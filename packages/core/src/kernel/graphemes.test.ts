import { expect, it } from 'vitest'
import { cutToCodePoints } from './graphemes.ts'

it('cuts a text between characters as people see them', () => {
  expect(cutToCodePoints('short', 256)).toBe('short')
  expect(cutToCodePoints('a'.repeat(300), 256)).toBe('a'.repeat(256))
  expect(cutToCodePoints('😀'.repeat(256), 256)).toBe('😀'.repeat(256))
  expect(cutToCodePoints('😀'.repeat(257), 256)).toBe('😀'.repeat(256))
  // Each of these has three code points.
  expect(cutToCodePoints('👩‍🚀'.repeat(100), 256)).toBe('👩‍🚀'.repeat(85))
  expect(cutToCodePoints(`e${'\u0301'.repeat(300)}`, 256)).toBe('')
})
