import { describe, expect, it } from 'vitest'
import { isBlank, line } from './text-fields.ts'

describe('isBlank', () => {
  it.each(['', ' \t\n', '   \u200b ', '\u3164', '\u00ad', '\ufe0f', '\u2800', '\0', '\u3000'])(
    'is true for %j',
    (text) => {
      expect(isBlank(text)).toBe(true)
    },
  )

  it.each(['🍕', '%', '.', ' \u200ba'])('is false for %j', (text) => {
    expect(isBlank(text)).toBe(false)
  })
})

describe('line', () => {
  it.each(['\u200b', '\u3164 '])('refuses the invisible text %j', (text) => {
    expect(line(64).safeParse(text).success).toBe(false)
  })
})
