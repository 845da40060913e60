import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldHashtag } from '../../../kernel/hashtags.ts'
import { countLinks } from './count-links.ts'
import { fitsPost, parsePost } from './post-text.ts'

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

  it('folds joiners and the letters i of Turkish away', () => {
    expect([foldHashtag('می\u200cخواهم'), foldHashtag('میخواهم')]).toEqual(['میخواهم', 'میخواهم'])
    expect(['İstanbul', 'Istanbul', 'ıstanbul', 'istanbul'].map(foldHashtag)).toEqual(Array(4).fill('istanbul'))
    expect(new Set(['IŞIK', 'ışık', 'işik'].map(foldHashtag)).size).toBe(1)
  })

  it('begin with # or ＃, and contain joiners and middle dots between letters only', () => {
    expect(found('#می\u200cخواهم را')).toEqual(['hashtag #می\u200cخواهم'])
    expect(parsePost('#می\u200cخواهم #میخواهم').hashtags).toEqual(['میخواهم'])
    expect(found('見る ＃東京')).toEqual(['hashtag ＃東京'])
    expect(parsePost('#a· #foo-bar #c+ #l·l #ジョン・スミス #x\u200c\u200cy ##no ＃＃no a＃no').hashtags).toEqual([
      ...['a', 'foo', 'c', 'l·l', 'ジョン・スミス', 'x'],
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

  it('ends at the punctuation of a sentence without spaces', () => {
    expect(found('见 https://example.com/path。然后 #继续')).toEqual(['link https://example.com/path', 'hashtag #继续'])
    expect(found('詳しくはhttps://example.com/a')).toEqual(['link https://example.com/a'])
  })

  it('counts what readers of Markdown would link as well', () => {
    const counts = {
      'No link, user@host or www': 0,
      'https://a.example and https://b.example': 2,
      'www.a.example, www.b.example and email to me@c.example': 3,
      'https://a.example。https://b.example': 2,
      '    https://a.example, `www.b.example` and [x](https://c.example)': 3,
      'https://user:pw@a.example/': 1,
    }
    for (const [body, count] of Object.entries(counts)) expect(countLinks(body), body).toBe(count)
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
      expect(parsePost(part.repeat(32_768 / part.length)).entities.length).toBeLessThan(32_768)
    }
    expect(found(`https://a.example/${')'.repeat(32_000)}`)).toEqual(['link https://a.example/'])
  })
})

describe('the length of a post', () => {
  it('is counted in characters as people see them, and in bytes', () => {
    expect([fitsPost('a'.repeat(500)), fitsPost('a'.repeat(501))]).toEqual([true, false])
    expect([fitsPost('e\u0301'.repeat(500)), fitsPost('e\u0301'.repeat(501))]).toEqual([true, false])
    // One of these is 11 bytes.
    expect([fitsPost('👩‍🚀'.repeat(500)), fitsPost('👩‍🚀'.repeat(501))]).toEqual([true, false])
    // One of these is 25 bytes, and one of the others 28.
    expect([fitsPost('👨‍👩‍👧‍👦'.repeat(500)), fitsPost('🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(500))]).toEqual([true, true])
    expect([fitsPost(`a${'\u0301'.repeat(63)}`), fitsPost(`a${'\u0301'.repeat(64)}`)]).toEqual([true, false])
    // 489 characters of 67 bytes, and some of one byte.
    const many = `${'👨\u200d'.repeat(9)}👨`.repeat(489)
    expect([fitsPost(`${many}aaaaa`), fitsPost(`${many}aaaaaa`)]).toEqual([true, false])
  })
})
