import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { formatOf, type SuffixFormat, showsErrorsAsHtml } from './negotiation.ts'

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'
const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

interface Asked {
  readonly accept?: string
  readonly format?: string
  readonly suffix?: SuffixFormat
  readonly method?: string
}

const request = ({ accept, format, suffix, method = 'GET' }: Asked) =>
  ({ method, headers: { accept }, query: format === undefined ? {} : { format }, eep: { suffix } }) as FastifyRequest

describe('formatOf', () => {
  it.each([
    [undefined, 'markdown'],
    ['', 'markdown'],
    ['*/*', 'markdown'],
    ['text/*', 'markdown'],
    ['nonsense', 'markdown'],
    ['image/png', 'markdown'],
    ['text/markdown, text/html, */*', 'markdown'],
    ['text/markdown, text/html;q=0.9, */*;q=0.8', 'markdown'],
    ['text/html;q=0.9, text/markdown', 'markdown'],
    ['text/html;q=0', 'markdown'],
    ['text/html;q=0, */*', 'markdown'],
    [CHROME, 'html'],
    [FIREFOX, 'html'],
    ['text/html', 'html'],
    ['text/html, */*', 'html'],
    ['text/markdown;q=0.5, text/html;q=0.6', 'html'],
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/*', 'json'],
    ['text/toon', 'toon'],
    ['text/toon;q=0.1, application/json;q=0.2', 'json'],
    ['text/html;q=0.1, text/toon;q=0.2', 'toon'],
  ] as const)('answers Accept: %s with %s', (accept, format) => {
    expect(formatOf(request(accept === undefined ? {} : { accept }))).toBe(format)
  })

  it('takes the name of a format in any case', () => {
    expect(formatOf(request({ format: 'JSON' }))).toBe('json')
  })

  it('chooses the format by suffix, then by query, then by Accept', () => {
    expect(formatOf(request({ accept: CHROME, format: 'json' }))).toBe('json')
    expect(formatOf(request({ accept: CHROME, format: 'json', suffix: 'toon' }))).toBe('toon')
    expect(formatOf(request({ accept: 'application/json', suffix: 'markdown' }))).toBe('markdown')
  })

  it.each(['html', 'xml', '', 'toString', '__proto__'])(
    'rejects %j as the query parameter format, with or without a suffix',
    (format) => {
      expect(() => formatOf(request({ format }))).toThrow(expect.objectContaining({ code: 'invalid_format' }))
      expect(() => formatOf(request({ format, suffix: 'json' }))).toThrow(
        expect.objectContaining({ code: 'invalid_format' }),
      )
    },
  )
})

describe('an error', () => {
  it.each([CHROME, FIREFOX, 'text/html'])('answers errors as HTML for Accept: %s', (accept) => {
    expect(showsErrorsAsHtml(request({ accept }))).toBe(true)
    expect(showsErrorsAsHtml(request({ accept, method: 'HEAD' }))).toBe(true)
  })

  it.each([
    '*/*',
    '',
    'application/json, text/html;q=0.9',
    'application/problem+json, text/html;q=0.9',
    'text/markdown',
  ])('does not answer errors as HTML for Accept: %j', (accept) => {
    expect(showsErrorsAsHtml(request({ accept }))).toBe(false)
  })

  it('does not answer errors as HTML for other methods or an explicit format', () => {
    expect(showsErrorsAsHtml(request({}))).toBe(false)
    expect(showsErrorsAsHtml(request({ accept: CHROME, method: 'POST' }))).toBe(false)
    expect(showsErrorsAsHtml(request({ accept: CHROME, format: 'json' }))).toBe(false)
    expect(showsErrorsAsHtml(request({ accept: CHROME, suffix: 'json' }))).toBe(false)
  })
})
