import { describe, expect, it } from 'vitest'
import { faceHtml, rowHtml } from './pieces.ts'

describe('the circle of a profile without a picture', () => {
  it.each([
    ['ada lovelace', 'A'],
    [' 春日井 遥', '春'],
    ['👩‍🚀 Sally', '👩‍🚀'],
    ['<b>', '&lt;'],
    ['', ''],
  ])('has for "%s" the first letter as readers see it: "%s"', (name, letter) => {
    expect(faceHtml(name, undefined, {}).markup).toBe(
      `<span class="face" aria-hidden="true"><bdi>${letter}</bdi></span>`,
    )
  })
})

describe('an entry of a list', () => {
  it('escapes what authors wrote', () => {
    const { markup } = rowHtml({ href: '/u/ada"', title: '<i>', note: '<script>', marks: ['<b>', false, 'two'] })
    expect(markup).toContain('<a href="/u/ada&quot;"><bdi>&lt;i&gt;</bdi></a>')
    expect(markup).toContain('<p lang="">&lt;script&gt;</p>')
    expect(markup).toContain('<small>&lt;b&gt; · two</small>')
  })

  it('writes nothing for a text and marks that are missing', () => {
    expect(rowHtml({ href: '/', title: 'A', note: null, marks: [undefined] }, true).markup).toBe(
      '<li><h3><a href="/"><bdi>A</bdi></a></h3></li>\n',
    )
  })
})
