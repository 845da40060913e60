import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5'
import { expect } from 'vitest'
import { PUBLIC_URL } from './app.ts'

type Element = DefaultTreeAdapterMap['element']

/** Every element of a page as a browser builds it, those inside of templates too. */
function elementsOf(body: string): Element[] {
  const found: Element[] = []
  const walk = (node: DefaultTreeAdapterMap['node']) => {
    if (defaultTreeAdapter.isElementNode(node)) found.push(node)
    if ('content' in node) walk(node.content)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(body))
  return found
}

const ELEMENTS = new Set(
  `html head meta title link style script body a header nav ol ul li main article p h1 h2 h3 h4 h5 h6 div section footer dl dt dd
  span bdi strong em del code pre blockquote table thead tbody tr th td img br hr sup sub input details summary time
  small b i`.split(/\s+/),
)
const ATTRIBUTES = new Set(
  `lang charset name content property rel type href class id aria-label aria-hidden aria-labelledby aria-describedby tabindex
  role title src alt width height loading decoding referrerpolicy datetime align start checked disabled dir
  hreflang aria-current data-footnotes data-footnote-ref data-footnote-backref open media`.split(/\s+/),
)
const LEADS_SOMEWHERE = new Set(['href', 'src', 'action'])

function leadsToAllowed(tagName: string, address: string): boolean {
  // Forms are sent to the service alone.
  if (tagName === 'form') return /^\/(?!\/)/.test(address)
  const allowed = tagName === 'link' ? ['https:', 'data:'] : ['https:', 'http:', 'mailto:']
  return allowed.includes(new URL(address, PUBLIC_URL).protocol)
}

/** What the page of a search has besides: its form, and marks in texts. */
export const SEARCH_PAGE = {
  elements: new Set(['form', 'button', 'mark']),
  attributes: new Set(['action', 'value', 'maxlength', 'required']),
}

/** The buttons of pages: forms that the service writes. */
const BUTTONS: typeof SEARCH_PAGE = {
  elements: new Set(['form', 'button']),
  attributes: new Set(['action', 'method', 'value', 'aria-pressed']),
}

/** Checks that a page of the service runs nothing, loads nothing and is built of what the service writes. */
export function expectHarmless(body: string, path: string, more = BUTTONS) {
  const elements = elementsOf(body)
  const foreign: string[] = []
  for (const { tagName, attrs, namespaceURI, childNodes } of elements) {
    if (namespaceURI !== 'http://www.w3.org/1999/xhtml') foreign.push(`<${tagName} xmlns="${namespaceURI}">`)
    if (!more.elements.has(tagName) && !ELEMENTS.has(tagName)) foreign.push(`<${tagName}>`)
    for (const { name, value } of attrs) {
      const isKnown = more.attributes.has(name) || ATTRIBUTES.has(name)
      const isHarmless = !LEADS_SOMEWHERE.has(name) || leadsToAllowed(tagName, value)
      if (!isKnown || !isHarmless) foreign.push(`<${tagName} ${name}="${value}">`)
    }
    if (tagName === 'script') {
      expect(attrs).toEqual([{ name: 'type', value: 'application/ld+json' }])
      const [text] = childNodes
      expect(() => JSON.parse(text && 'value' in text ? text.value : '')).not.toThrow()
    }
  }
  expect(foreign, path).toEqual([])
  const count = (name: string) => elements.filter(({ tagName }) => tagName === name).length
  expect([count('html'), count('body'), count('main'), count('h1'), count('style'), count('title')], path).toEqual([
    1, 1, 1, 1, 1, 1,
  ])
  expect(count('script')).toBeLessThanOrEqual(1)
  const ids = elements.flatMap(({ attrs }) => attrs.filter(({ name }) => name === 'id').map(({ value }) => value))
  expect(new Set(ids).size, path).toBe(ids.length)
  const ours = /^(main$|footnote-label$|offer$|s-|user-content-fn)/
  expect(
    ids.filter((id) => !ours.test(id)),
    path,
  ).toEqual([])
}
