import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isRecord, mediaTypeOf } from '../site.ts'

const isJsonLd = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    const nodes = Array.isArray(value) ? value : [value]
    return nodes.length > 0 && nodes.every((node) => isRecord(node) && ('@type' in node || '@graph' in node))
  } catch {
    return false
  }
}

/** The HTML of the page has a language, a title, a description, and structured data that can be parsed. */
export const structuredData: SiteRule = {
  id: 'structured-data',
  category: 'content',
  summary: 'The HTML has a language, a title, a description and JSON-LD',
  weight: 5,
  fix: 'Add lang, <title>, <meta name="description"> and a <script type="application/ld+json"> with a type of schema.org.',
  doc: 'https://schema.org/docs/gs.html',
  async check(site) {
    const page = await site.get(site.url.href, { accept: 'text/html' })
    if (page.is !== 'answer') return skip(page.reason)
    if (!/^(text\/html|application\/xhtml\+xml)$/.test(mediaTypeOf(page))) {
      return skip(`The page is not HTML (${describe(page)}).`)
    }
    const { lang, title, description, jsonLd, headings } = await site.outlineHtml(page.body)
    if (jsonLd.some((text) => !isJsonLd(text)))
      return fail('The JSON-LD of the page cannot be parsed, or has no @type.')
    const missing = [
      ...(title === null ? ['a title'] : []),
      ...(description === null ? ['a description'] : []),
      ...(lang === null ? ['a language'] : []),
      ...(headings === 0 ? ['an h1'] : []),
      ...(jsonLd.length === 0 ? ['JSON-LD'] : []),
    ]
    if (missing.length > 2) return fail(`The HTML lacks ${missing.join(', ')}.`, describe(page))
    if (missing.length > 0) return warn(`The HTML lacks ${missing.join(' and ')}.`)
    return pass('The HTML has a language, a title, a description, a heading and JSON-LD.')
  },
}
