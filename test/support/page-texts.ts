import { pageTexts } from '@eep/core'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element
type Language = Parameters<typeof pageTexts>[0]

/** Elements whose text is not read, belongs to a program, or is a name of an author. */
const SKIPPED = new Set(['script', 'style', 'title', 'code', 'pre', 'bdi', 'head'])
const READ_ATTRIBUTES = new Set(['aria-label', 'placeholder', 'alt', 'title'])
/** Names of formats, standards and units, and words that are the same in every language. */
const NAMES =
  'DID JSON Markdown TOON Atom Feed PDF UTC URL API OpenAPI AsyncAPI OpenSearch RFC A2A DNS ID SKU QR USD EUR USDC Stripe x402 Passkey Passkeys POST GET PNG WAV MB KB kB GB Base Sepolia GitHub JavaScript UK'
const WORD = /\p{Script=Latin}[\p{Script=Latin}\d]+/gu

const isElement = (node: Node): node is Element => 'tagName' in node

/** The texts of a page that are in its language: those in elements without another language, and those of its attributes. */
export function textsInLanguage(markup: string): readonly string[] {
  const texts: string[] = []
  const visit = (node: Node) => {
    if ('value' in node && node.nodeName === '#text') texts.push(node.value)
    if (isElement(node)) {
      const lang = node.attrs.find(({ name }) => name === 'lang')
      if (SKIPPED.has(node.tagName) || (lang && node.tagName !== 'html')) return
      for (const { name, value } of node.attrs) if (READ_ATTRIBUTES.has(name)) texts.push(value)
    }
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(markup, { scriptingEnabled: false }))
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(Boolean)
}

/** Returns what finds words in texts that are not of a language. Dates, units and names of standards are of every language. */
export function createForeignWords(language: Language) {
  const months = Array.from({ length: 12 }, (_, month) => {
    const moment = new Date(Date.UTC(2026, month, month + 1))
    const inFull = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'full', timeZone: 'UTC' })
    return [inFull, new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })].map((format) =>
      format.format(moment),
    )
  }).flat()
  const units = ['byte', 'kilobyte', 'megabyte', 'second', 'minute', 'hour', 'day'].flatMap((unit) =>
    (['long', 'short'] as const).flatMap((unitDisplay) =>
      [1, 2].map((count) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count)),
    ),
  )
  const zone = new Intl.DateTimeFormat(language, { timeZone: 'Asia/Tokyo', timeZoneName: 'long' }).format()
  const own = [...Object.values(pageTexts(language)), ...months, ...units, zone, NAMES].join(' ')
  const known = new Set(
    own
      .replaceAll(/\{\w+\}/g, ' ')
      .toLowerCase()
      .match(WORD),
  )
  return (text: string): readonly string[] => (text.match(WORD) ?? []).filter((word) => !known.has(word.toLowerCase()))
}
