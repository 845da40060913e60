import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cleanedName, isBlank, line, prose, trimmedLine } from './text-fields.ts'

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

const FLAG = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'

describe.each([
  ['line', line],
  ['trimmedLine', trimmedLine],
])('%s', (_, schema) => {
  it.each([
    ...['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069', '\u2028', '\u2029'],
    ...['\n', '\0', '\u0001', '\u0085', '\u009B', '\u{E0000}', '\u{E0001}', '\u{E0041}', '\u{E007F}'],
  ])('refuses a name with %j, anywhere', (character) => {
    for (const name of [`${character}a`, `a${character}b`, `a${character}`]) {
      expect(schema(64).safeParse(name).success).toBe(false)
    }
  })

  it.each(['a\u200Cb', 'a\u200Db', 'a\u200Eb', 'a\u200Fb', 'a\u061Cb', FLAG, `a ${FLAG} b`])('accepts %j', (name) => {
    expect(schema(64).parse(name)).toBe(name)
  })
})

describe('cleanedName', () => {
  it.each([
    ['\u202Eadmin', 'admin'],
    ['Ada\u2028Lovelace\u2029', 'Ada Lovelace'],
    ['Ada\r\n\u0001Byron\u2069', 'Ada Byron'],
    [`${FLAG}\u{E0041}`, FLAG],
    ['\u202E ', ''],
    [' a\u200Fb ', ' a\u200Fb '],
  ])('makes of %j the name %j', (name, cleaned) => {
    expect(cleanedName(name)).toBe(cleaned)
  })
})

describe.each([
  ['prose', prose],
  ['line', line],
  ['trimmedLine', trimmedLine],
])('the limit of %s', (_, schema) => {
  it.each(['a', 'é', '字', '𠮷', '👍'])(
    'counts each %s as one character, as the maxLength of its JSON Schema does',
    (character) => {
      expect(schema(8).safeParse(character.repeat(8)).success).toBe(true)
      expect(schema(8).safeParse(character.repeat(9)).success).toBe(false)
      expect(z.toJSONSchema(schema(8), { io: 'input' })).toMatchObject({ maxLength: 8 })
    },
  )
})
