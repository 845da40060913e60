import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsPost, foldHashtag, parsePost } from './post-text.ts'

const found = (body: string) =>
  parsePost(body).entities.map((entity) => {
    expect(body.slice(entity.start, entity.end)).toBe(entity.text)
    return `${entity.type} ${entity.text}`
  })

describe('hashtags', () => {
  it('folds compatible characters and case', () => {
    const folds = ['Ärger', 'A\u0308RGER', 'ärger', 'ÄRGER']
    expect(new Set(folds.map(foldHashtag))).toEqual(new Set(['ärger']))
    expect([foldHashtag('Straße'), foldHashtag('STRASSE')]).toEqual(['strasse', 'strasse'])
    expect([foldHashtag('ΣΊΣΥΦΟΣ'), foldHashtag('σίσυφος')]).toEqual(['σίσυφοσ', 'σίσυφοσ'])
    expect([foldHashtag('ｆｕｌｌ'), foldHashtag('ﬁne'), foldHashtag('日本語'), foldHashtag('हिन्दी')]).toEqual([
      ...['full', 'fine', '日本語', 'हिन्दी'],
    ])
  })

  it('folds a folded hashtag to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const folded = foldHashtag(text)
        if (folded !== undefined) expect(foldHashtag(folded)).toBe(folded)
      }),
    )
  })

  it('consist of at most 64 letters, digits and underscores', () => {
    expect([foldHashtag('a'.repeat(64)), foldHashtag('a'.repeat(65))]).toEqual(['a'.repeat(64), undefined])
    expect(['', '_', 'a b', 'a-b', '😀', '\uFDFA'].map(foldHashtag)).toEqual(Array(6).fill(undefined))
    expect(parsePost('#One #two_2, #3! a#four &#53; ##five #six-seven #').hashtags).toEqual([
      'one',
      'two_2',
      '3',
      'six',
    ])
  })

  it('counts ten different ones', () => {
    const body = Array.from({ length: 12 }, (_, index) => `#t${index}`).join(' ')
    const { hashtags, entities } = parsePost(`${body} #T0`)
    expect(hashtags).toEqual(Array.from({ length: 10 }, (_, index) => `t${index}`))
    expect(entities.map(({ text }) => text)).toEqual([...hashtags.map((tag) => `#${tag}`), '#T0'])
  })
})

describe('mentions', () => {
  it('finds addresses of profiles', () => {
    const body = 'Hi @u/ada, @O/Acme-Corp- and @agent/bot. Not mail@u/ada, @u/ada_x, @u/ada/notes or @ada.'
    expect(found(body)).toEqual(['mention @u/ada', 'mention @O/Acme-Corp', 'mention @agent/bot'])
    expect(parsePost('@O/Acme-Corp-').entities[0]).toMatchObject({ prefix: 'o', username: 'acme-corp' })
  })

  it('counts ten', () => {
    expect(found(Array.from({ length: 12 }, (_, index) => `@u/a${index}`).join(' '))).toHaveLength(10)
  })
})

describe('links', () => {
  it('finds addresses of the web, without the punctuation around them', () => {
    expect(
      found(
        'See https://example.com/a_(b)?q=#x, (http://example.org/c). HTTPS://EXAMPLE.COM! https://[::1]/ "https://a.example"',
      ),
    ).toEqual([
      'link https://example.com/a_(b)?q=#x',
      'link http://example.org/c',
      'link HTTPS://EXAMPLE.COM',
      'link https://[::1]/',
      'link https://a.example',
    ])
    expect(parsePost('HTTPS://EXAMPLE.COM').entities[0]).toMatchObject({ url: 'https://example.com/' })
  })

  it('finds no other schemes, names or passwords', () => {
    for (const body of [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://',
      'https://user@example.com',
      'https://bank.example:pw@evil.example/',
      `https://example.com/${'a'.repeat(2_100)}`,
      'xhttps://example.com',
    ]) {
      expect(found(body), body).toEqual([])
    }
  })

  it('finds neither hashtags nor mentions in a link', () => {
    expect(found('https://example.com/#top/@u/ada')).toEqual(['link https://example.com/#top/@u/ada'])
  })
})

describe('any text', () => {
  it('is parsed into spans that do not overlap', () => {
    const part = fc.constantFrom(
      '#',
      '@u/',
      'https://',
      'a',
      'Ä',
      '_',
      '.',
      '(',
      ')',
      ' ',
      '\n',
      '👩‍🚀',
      '\u0308',
      'b.example',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const body = parts.join('')
        let end = 0
        for (const entity of parsePost(body).entities) {
          expect(entity.start).toBeGreaterThanOrEqual(end)
          expect(body.slice(entity.start, entity.end)).toBe(entity.text)
          end = entity.end
        }
      }),
    )
  })

  it('is parsed in time that grows with its length', () => {
    for (const part of ['#', '@u/', '@u/a-', 'https://', 'https://a.b/)', '(', 'a', '_', '-']) {
      expect(parsePost(part.repeat(8_192 / part.length)).entities.length).toBeLessThan(8_192)
    }
    expect(found(`https://a.example/${')'.repeat(8_000)}`)).toEqual(['link https://a.example/'])
  })
})

describe('the length of a post', () => {
  it('is counted in characters as people see them, and in bytes', () => {
    expect([fitsPost('a'.repeat(500)), fitsPost('a'.repeat(501))]).toEqual([true, false])
    expect([fitsPost('e\u0301'.repeat(500)), fitsPost('e\u0301'.repeat(501))]).toEqual([true, false])
    // One of these is 11 bytes.
    expect([fitsPost('👩‍🚀'.repeat(500)), fitsPost('👩‍🚀'.repeat(501))]).toEqual([true, false])
    expect(fitsPost(`a${'\u0301'.repeat(5_000)}`)).toBe(false)
  })
})
