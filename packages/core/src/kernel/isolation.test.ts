import { describe, expect, it } from 'vitest'
import { isolated, withNeededIsolates } from './isolation.ts'

describe('a text of plain text', () => {
  it('keeps isolates around what is read in the other direction, and no others', () => {
    expect(withNeededIsolates(`${isolated('ليلى')} invites you to ${isolated('Atlas')}`)).toBe(
      '\u2068ليلى\u2069 invites you to Atlas',
    )
    expect(withNeededIsolates(`${isolated('Ada')} さん`)).toBe('Ada さん')
  })

  it('loses isolates that are not in pairs', () => {
    expect(isolated('a\u2069da\u2066')).toBe('\u2068ada\u2069')
    expect(withNeededIsolates('a\u2069 \u2068b')).toBe('a b')
  })
})
