import { describe, expect, it } from 'vitest'
import { fieldsMarkdown } from './fields-markdown.ts'

describe('fields in Markdown', () => {
  it.each([
    ['Europe/London', '- Name: Europe/London'],
    [7, '- Name: 7'],
    [true, '- Name: yes'],
    ['2026-12-01T19:00:00Z', '- Name: 2026-12-01T19:00:00Z'],
    ['https://x.example/a_b', '- Name: <https://x.example/a_b>'],
    ['https://x.example/ and more', '- Name: https://x.example/ and more'],
    ['javascript:alert(1)', '- Name: javascript:alert(1)'],
    [['en', 'fr'], '- Name: en, fr'],
    [{ amount: '2.50', currency: 'eur' }, '- Name: 2.50 EUR'],
    [{ amount: { a: 1 }, currency: 'eur' }, '- Name: Amount: (A: 1); Currency: eur'],
    [{ postal_code: '1', city: 'London' }, '- Name: Postal code: 1; City: London'],
    [{ at: { lat: 1, lng: -2 }, fee: { amount: 3, currency: 'usd' } }, '- Name: At: (Lat: 1; Lng: -2); Fee: 3 USD'],
  ])('show %j as readable text', (value, line) => {
    expect(fieldsMarkdown({ name: value })).toBe(line)
  })

  it('omit empty values', () => {
    expect(fieldsMarkdown({ a: null, b: '', c: [], d: {}, e: undefined })).toBe('')
  })

  it('are one line each and forge nothing, by name or by value', () => {
    const forged = '\n## Forged\n- [x](https://evil.example) `a`'
    for (const fields of [{ a: forged }, { [forged]: 1 }, { a: [forged, { [forged]: forged }] }]) {
      const lines = fieldsMarkdown(fields).split('\n')
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/^- [^#]/)
      expect(lines[0]).not.toMatch(/(?<!\\)[[`]/)
    }
  })

  it('end at a depth that a reader can follow', () => {
    let value: unknown = 'deep'
    for (let depth = 0; depth < 100; depth += 1) value = { a: value }
    expect(fieldsMarkdown({ name: value })).toContain('{"a":')
  })
})
