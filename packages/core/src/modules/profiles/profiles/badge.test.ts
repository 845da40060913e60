import { describe, expect, it } from 'vitest'
import { badgeSvg } from './badge.ts'

describe('badgeSvg', () => {
  it('escapes the name', () => {
    const svg = badgeSvg('"><script>alert(1)</script>&\'')
    expect(svg).not.toContain('<script')
    expect(svg).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;')
  })

  it('leaves out what XML cannot hold', () => {
    expect(badgeSvg('a\0b\u0007c\ufffe')).toContain('>abc<')
  })

  it('shortens a long name', () => {
    expect(badgeSvg('x'.repeat(200))).toContain(`>${'x'.repeat(39)}…<`)
  })

  it.each([
    ['latin letters', 'Ada', 3 * 7],
    ['Japanese letters', '東京タワー', 5 * 12],
    ['both', 'Tokyo 東京', 6 * 7 + 2 * 12],
    ['Korean letters', '서울', 2 * 12],
    ['letters with combined accents', 'e\u0301e\u0301', 2 * 7],
    ['an emoji of several code points', '👩‍🚀', 12],
  ])('is as wide as %s need', (_, name, width) => {
    expect(badgeSvg(name)).toContain(`width="${34 + 20 + width}" height="20" role="img"`)
  })

  it('shortens a name between characters', () => {
    expect(badgeSvg('👩‍🚀'.repeat(50))).toContain(`>${'👩‍🚀'.repeat(39)}…<`)
  })
})
