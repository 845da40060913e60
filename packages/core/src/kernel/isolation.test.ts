import { describe, expect, it } from 'vitest'
import { sentence, withNeededIsolates } from './isolation.ts'

describe('sentences of plain text', () => {
  it('isolate names that are read in the other direction, and no others', () => {
    expect(sentence`${'ليلى'} invites you to ${'Atlas'}`).toBe('\u2068ليلى\u2069 invites you to Atlas')
    expect(sentence`يدعوك ${'ada'} إلى ${'فريق'} ${7}`).toBe('يدعوك \u2068ada\u2069 إلى فريق 7')
    expect(sentence`${'Ada'} さん`).toBe('Ada さん')
  })

  it('do not isolate addresses, which programs link', () => {
    expect(sentence`افتح ${'https://profiles.example/u/ada'}`).toBe('افتح https://profiles.example/u/ada')
  })

  it('cannot be left by a name', () => {
    expect(sentence`يدعوك ${'a\u2069da\u2066'}`).toBe('يدعوك \u2068ada\u2069')
    expect(withNeededIsolates('a\u2069 \u2068b')).toBe('a b')
  })
})
