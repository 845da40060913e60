import { describe, expect, it } from 'vitest'
import { splitAtLinks } from './text-links.ts'

const found = (text: string) =>
  splitAtLinks(text).flatMap(({ link }) => {
    if (!link) return []
    expect(text.slice(link.start, link.end)).toBe(link.text)
    return [link.text]
  })

describe('links in plain text', () => {
  it('end before the punctuation of Chinese, Japanese and Korean', () => {
    expect(found('见 https://example.com/path。然后继续')).toEqual(['https://example.com/path'])
    expect(found('https://example.com。然后')).toEqual(['https://example.com'])
    for (const mark of '。｡、､，．？！；：「」『』《》〈〉【】（）［］｛｝〔〕…‥') {
      expect(found(`「https://example.com/a${mark}次`), mark).toEqual(['https://example.com/a'])
    }
  })

  it('begin directly after a letter of a script that writes words together', () => {
    for (const before of ['詳しくは', 'カー', '见', 'ดูที่', 'ເບິ່ງ', 'មើល', 'ကြည့်', '주소는']) {
      expect(found(`${before}https://example.com/a`), before).toEqual(['https://example.com/a'])
    }
    for (const before of ['x', 'я', 'ا', 'α', '1', '_'])
      expect(found(`${before}https://example.com/a`), before).toEqual([])
  })

  it('keep punctuation of Arabic and Hindi inside, and lose it at their end', () => {
    for (const mark of '،؟؛۔।॥') {
      expect(found(`https://example.com/a${mark} b`), mark).toEqual(['https://example.com/a'])
      expect(found(`https://example.com/a${mark}b`), mark).toEqual([`https://example.com/a${mark}b`])
    }
  })

  it('keep letters of any script in their path', () => {
    expect(found('https://example.com/東京/ア')).toEqual(['https://example.com/東京/ア'])
  })
})
