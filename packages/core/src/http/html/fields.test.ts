import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../model/field-values.ts'
import { fieldsHtml } from './fields.ts'

const shown = (value: unknown) => {
  const found = fieldsHtml({ name: value }, {})
  return found ? /<dd>(.*)<\/dd>/.exec(found.markup)?.[1] : found
}

describe('fields in HTML', () => {
  it.each([
    ['plain <text>', '<bdi>plain &lt;text&gt;</bdi>'],
    [7, '7'],
    [true, 'yes'],
    [
      'https://x.example/',
      '<a href="https://x.example/" rel="nofollow ugc noopener"><bdi>https://x.example/</bdi></a>',
    ],
    ['javascript:alert(1)', '<bdi>javascript:alert(1)</bdi>'],
    [
      '2026-12-01T19:00:00Z',
      '<time datetime="2026-12-01T19:00:00Z">Tuesday, December 1, 2026 at 7:00 PM</time> <span class="soft">UTC</span>',
    ],
    [
      '2026-12-01T19:00:30+02:00',
      '<time datetime="2026-12-01T19:00:30+02:00">Tuesday, December 1, 2026 at 5:00 PM</time> <span class="soft">UTC</span>',
    ],
    [['a', 'b'], '<bdi>a</bdi>, <bdi>b</bdi>'],
    [{ amount: '2.50', currency: 'eur' }, '<bdi>€2.50</bdi>'],
    [
      { postal_code: '1', city: 'London' },
      '<bdi>Postal code</bdi>: <bdi>1</bdi><br><bdi>City</bdi>: <bdi>London</bdi>',
    ],
    [[{ a: 1 }], '<ul><li><bdi>A</bdi>: 1</li></ul>'],
  ])('shows the value %j as a reader would write it', (value, markup) => {
    expect(shown(value)).toBe(markup)
  })

  it('omits empty fields, and the list when all are empty', () => {
    expect(fieldsHtml({ a: null, b: '', c: [], d: {}, e: undefined }, {})).toBe(false)
    expect(shown(0)).toBe('0')
  })

  it('shows fields that are nested too deeply as JSON', () => {
    let value: unknown = '<deep>'
    for (let depth = 0; depth < 100; depth += 1) value = { a: value }
    expect(shown(value)).toMatch(/<code>\{&quot;a&quot;:/)
  })

  it('labels a field in plain words', () => {
    expect(wordsOf('opening_hours')).toBe('Opening hours')
  })
})
