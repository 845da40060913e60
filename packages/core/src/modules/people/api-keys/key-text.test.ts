import { describe, expect, it } from 'vitest'
import { isKeyText, maskKey, newKeyText } from './key-text.ts'

// Made once and written down, so that a change of the format shows: eep_, 43 characters, CRC-32 in 6.
const KNOWN = 'eep_0000000000000000000000000000000000000000000'

describe('the text of an API key', () => {
  it('is a prefix, 43 characters and a checksum of 6', () => {
    for (let round = 0; round < 200; round++) {
      const text = newKeyText()
      expect(text).toMatch(/^eep_[0-9A-Za-z]{49}$/)
      expect(isKeyText(text)).toBe(true)
    }
  })

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 500 }, newKeyText)).size).toBe(500)
  })

  it('uses every character, also at its start', () => {
    const seen = new Set(Array.from({ length: 2_000 }, () => newKeyText().slice(5, 47)).join(''))
    expect(seen.size).toBe(62)
  })

  it('keeps its format', () => {
    expect(isKeyText(`${KNOWN}2XQEVV`)).toBe(true)
  })

  it('does not survive a change of any one character', () => {
    const text = newKeyText()
    for (let index = 4; index < text.length; index++) {
      const other = text[index] === 'x' ? 'y' : 'x'
      expect(isKeyText(text.slice(0, index) + other + text.slice(index + 1)), `at ${index}`).toBe(false)
    }
  })

  it.each([
    ['an empty text', ''],
    ['the prefix alone', 'eep_'],
    ['a short text', 'eep_nothing'],
    ['the prefix in capitals', 'EEP_'],
    ['a key with one more character', `${newKeyText()}0`],
    ['a key after a space', ` ${newKeyText()}`],
    ['a key without its last character', newKeyText().slice(0, -1)],
    ['a key with a line break', `${newKeyText()}\n`],
  ])('is not %s', (_what, text) => {
    expect(isKeyText(text)).toBe(false)
  })

  it('shows four characters of each end', () => {
    expect(maskKey(`eep_abcd${'x'.repeat(41)}wxyz`)).toBe('eep_abcd…wxyz')
  })
})
