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
})
