import { describe, expect, it } from 'vitest'
import { defineMessages } from '../../model/messages.ts'
import { html, jsonScript, plainHtml, proseHtml } from './html.ts'
import { hrefOn } from './view.ts'

describe('markup', () => {
  it('escapes text in elements and attributes', () => {
    const text = `<script>"&'</script>`
    expect(html`<p title="${text}">${text}</p>`.markup).toBe(
      '<p title="&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;">&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;</p>',
    )
  })

  it('inserts markup unescaped, lists item by item, and nothing for empty values', () => {
    const parts = [html`<b>a</b>`, 'b', 0, false, null, undefined] as const
    expect(html`[${parts}]`.markup).toBe('[<b>a</b>b0]')
  })

  it('removes characters that change the direction of text', () => {
    expect(html`${'a\u202Eb\u2066c\u200Fd'}`.markup).toBe('abcd')
  })

  it('keeps paragraphs and line breaks of prose in HTML', () => {
    expect(proseHtml('a\nb\n\n\nc<').markup).toBe('<p lang="">a<br>b</p><p lang="">c&lt;</p>')
  })

  it('escapes JSON so that it cannot end its script element', () => {
    const data = { name: '</script><!--<script>&\u2028' }
    const { markup } = jsonScript(data)
    const inside = markup.slice('<script type="application/ld+json">'.length, -'</script>'.length)
    expect(inside).not.toMatch(/[<>&\u2028]/)
    expect(JSON.parse(inside)).toEqual(data)
  })
})

describe('an address', () => {
  const site = { name: 'x', publicUrl: 'https://profiles.example', basePath: '/api' }
  it.each([
    ['/u/ada', '/api/u/ada'],
    ['https://profiles.example/u/ada', '/api/u/ada'],
    ['https://profiles.example', '/api/'],
    ['https://profiles.example.evil/u', 'https://profiles.example.evil/u'],
    ['https://elsewhere.example/', 'https://elsewhere.example/'],
  ])('links to %s as %s on a listener with a prefix', (address, href) => {
    expect(hrefOn(site, address)).toBe(href)
  })
})

describe('texts of messages', () => {
  const messages = defineMessages({ 'notes.said': '{who} wrote {what} {count} times' })('notes')
  const said = messages({})('said', { who: 'Ada <b>', what: 'اسم', count: 2 })

  it('isolate what they take, escaped, and not numbers', () => {
    expect(html`<p>${said}</p>`.markup).toBe('<p><bdi>Ada &lt;b&gt;</bdi> wrote <bdi>اسم</bdi> 2 times</p>')
  })

  it('have no elements in attributes', () => {
    expect(html`<p aria-label="${said}">x</p>`.markup).toBe('<p aria-label="Ada &lt;b&gt; wrote اسم 2 times">x</p>')
    expect(html` title="${said}" lang="en"`.markup).toBe(' title="Ada &lt;b&gt; wrote اسم 2 times" lang="en"')
  })

  it('isolate in plain text what is read in the other direction', () => {
    expect(plainHtml(said).markup).toBe('Ada &lt;b&gt; wrote \u2068اسم\u2069 2 times')
  })

  it('keep a name with isolates inside its element', () => {
    const odd = messages({})('said', { who: 'a\u2069b\u2068', what: '\u202Ec', count: 1 })
    expect(html`${odd}`.markup).toBe('<bdi>ab</bdi> wrote <bdi>c</bdi> 1 times')
    expect(html`${'a\u2068b'}${'c\u2069'}`.markup).toBe('abc')
  })
})
