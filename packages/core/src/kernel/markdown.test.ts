import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fenced, frontMatter, inline, link, list, paragraphs, section } from './markdown.ts'

// Neither release has types.
const require = createRequire(import.meta.url)
const { safeLoad } = require('js-yaml-3') as { safeLoad(text: string): unknown }
const { load } = require('js-yaml-4') as { load(text: string): unknown }

/** Fragments of Markdown syntax, so that random texts attempt to inject structure. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '#',
        '## ',
        '---',
        '===',
        '- ',
        '* ',
        '+ ',
        '1. ',
        '1) ',
        '> ',
        '```',
        '~~~',
        '`',
        '[',
        ']',
        '](',
        '(',
        ')',
        '<',
        '>',
        '<script>',
        '<!--',
        '&lt;',
        '&#35;',
        '|',
        '\\',
        '_',
        '**',
        '!',
        ':',
        ' ',
        '    ',
        '\t',
        '\n',
        '\n\n',
        '\r',
        '\r\n',
        '\v',
        '\f',
        '\u0085',
        '\u2028',
        '\u2029',
        '\u202E',
        'https://evil.example',
        'did: x',
        'Machine links',
      ),
      fc.string({ maxLength: 5, unit: 'grapheme' }),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''))

const NEWLINE = /[\n\r\v\f\u0085\u2028\u2029]/

/** Removes the escapes, which leaves the text that a reader of the Markdown sees. */
const seen = (markdown: string) => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

/** Replaces escaped characters. The remaining ones could still be syntax. */
const live = (markdown: string) => markdown.replaceAll(/\\[!-/:-@[-`{-~]/g, '·')

const startsStructure = (line: string) =>
  /^\s*(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|(?:-\s*){3,}$|(?:\*\s*){3,}$|(?:_\s*){3,}$|=+\s*$|-+\s*$|`{3}|~{3}|:::| {4}|\t|<)/.test(
    line,
  )

describe('inline', () => {
  it('writes inline text as one line without Markdown structure', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = inline(text)
        expect(written).not.toMatch(NEWLINE)
        const rest = live(written)
        expect(startsStructure(rest)).toBe(false)
        expect(rest).not.toMatch(/[`*_[\]<>|~\\]/)
        expect(rest).not.toMatch(/&(?:#|[A-Za-z][A-Za-z0-9]*;)/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps inline text readable, except for white space', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const plain = text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
        expect(seen(inline(text))).toBe(plain.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['# Access', '\\# Access'],
    ['1. first', '1\\. first'],
    ['[us](https://evil.example)', '\\[us\\](https://evil.example)'],
    ['<img src=x>', '\\<img src=x\\>'],
    ['a & b &lt; c', 'a & b \\&lt; c'],
    ['two\nlines', 'two lines'],
    ['--- did: other', '\\--- did: other'],
    ['C# and C++', 'C# and C++'],
  ])('writes %j as %j in inline text', (text, written) => {
    expect(inline(text)).toBe(written)
  })
})

describe('paragraphs', () => {
  it('writes paragraphs in which no line starts a Markdown construct', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of paragraphs(text).split('\n')) expect(startsStructure(live(line))).toBe(false)
        expect(live(paragraphs(text))).not.toMatch(/[`*_[\]<>|~\\\r\v\f\u0085\u2028\u2029]/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps paragraphs and line breaks of text in Markdown', () => {
    expect(paragraphs('One.\r\nStill one.\n\n\n\nTwo.\n')).toBe('One.\nStill one.\n\nTwo.')
  })

  it('does not let a line become the underline of a setext heading', () => {
    expect(paragraphs('Access\n======\nFree\n---')).toBe('Access\n\\======\nFree\n\\---')
  })
})

describe('fenced', () => {
  it('ends fenced code only at its own fence', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [opening = '', ...rest] = fenced(text).split('\n')
        const fence = /^`{3,}/.exec(opening)?.[0] ?? ''
        expect(rest.at(-1)).toBe(fence)
        for (const line of rest.slice(0, -1)) expect(line.includes(fence)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps every character of fenced code', () => {
    const text = '# Rules\n\n```js\nf()\n```\n- [x](y) <b>'
    expect(fenced(text)).toBe(`\`\`\`\`text\n${text}\n\`\`\`\``)
  })
})

describe('link', () => {
  it('escapes a link so that its address cannot end early', () => {
    fc.assert(
      fc.property(hostile, hostile, (label, path) => {
        const written = link(label, `https://example.com/${path}`)
        expect(written).toMatch(/\(<https:\/\/example\.com\/[^<>\s\\]*>\)$/)
        expect(written.split('\n')).toHaveLength(1)
      }),
    )
  })
})

describe('section', () => {
  it('omits a section without a body', () => {
    expect(section('About', '')).toEqual([])
    expect(section('Skills', list(['a', 'b']))).toEqual(['## Skills\n\n- a\n- b'])
  })
})

describe('front matter', () => {
  const texts = [
    'no',
    'y',
    'on',
    '=',
    '<<',
    '1,000',
    '1_000',
    '0777',
    '12:30:45',
    '2024-01-01',
    '~',
    '---',
    '"',
    'a\nb',
  ]
  const yaml = frontMatter(Object.fromEntries(texts.map((text, index) => [`field_${index}`, text]))).replaceAll(
    /^---$/gm,
    '',
  )

  it.each([
    ['yaml in version 1.1', (text: string) => parse(text, { version: '1.1' })],
    ['yaml in version 1.2', (text: string) => parse(text, { version: '1.2' })],
    ['js-yaml 3', (text: string) => safeLoad(text)],
    ['js-yaml 4', (text: string) => load(text)],
  ])('is read back as texts by %s', (_reader, read) => {
    expect(Object.values(read(yaml) as object)).toEqual(texts)
  })

  it('keeps numbers, booleans and null plain', () => {
    expect(frontMatter({ version: 2, open: true, none: null })).toBe('---\nversion: 2\nopen: true\nnone: null\n---')
  })
})
