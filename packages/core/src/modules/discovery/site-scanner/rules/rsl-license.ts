import { linkValues } from '../link-header-values.ts'
import { findPaidPage } from '../paid-page.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isWebUrl, mediaTypeOf, type Site, type SiteAnswer } from '../site.ts'

const NAMESPACE = 'https://rslstandard.org/rsl'
const TYPES: ReadonlySet<string> = new Set(['application/rsl+xml', 'application/xml', 'text/xml'])
const USES = ['search', 'ai-input', 'ai-train'] as const

/** The parts of a site's texts that are read. Each expression takes time in proportion to the text. */
const MAX_ROBOTS = 100_000
const MAX_LICENSE = 500_000
const LICENSE_LINE = /^[ \t]*license[ \t]*:[ \t]*(\S{1,2048})/im
const SIGNAL_LINE = /^[ \t]*content-signal[ \t]*:([^\n\r]{1,512})/im
const USAGE = /<(permits|prohibits) type="usage">([^<]{0,256})</g

const isOnSite = ({ url }: Pick<Site, 'url'>, address: string): boolean => new URL(address).host === url.host

/** The uses that an element of a licence names, in the words of content signals. */
function usesOf(license: string, element: 'permits' | 'prohibits'): ReadonlySet<string> {
  const named = [...license.matchAll(USAGE)].filter(([, name]) => name === element).map(([, , list = '']) => list)
  const words = new Set(named.flatMap((list) => list.split(',').map((word) => word.trim())))
  if (words.has('all')) return new Set(USES)
  return words.has('ai-all') ? new Set([...words, 'ai-input', 'ai-train']) : words
}

/** The use about which a licence and the content signal of `robots.txt` contradict each other. */
function contradictionIn(license: string, robots: string): string | undefined {
  const [, signal = ''] = SIGNAL_LINE.exec(robots) ?? []
  const [permitted, prohibited] = [usesOf(license, 'permits'), usesOf(license, 'prohibits')]
  return USES.find((use) => {
    const [, stated] = new RegExp(`(?:^|[ ,])${use}[ \\t]*=[ \\t]*(yes|no)`, 'i').exec(signal) ?? []
    return stated?.toLowerCase() === 'yes' ? prohibited.has(use) : stated !== undefined && permitted.has(use)
  })
}

/** The fault of a document as RSL; undefined for none. */
function faultOf(answer: SiteAnswer): string | undefined {
  if (answer.status !== 200) return 'The licence that the site names does not exist.'
  if (!TYPES.has(mediaTypeOf(answer))) return 'The licence is not served as application/rsl+xml.'
  const text = answer.body.slice(0, MAX_LICENSE)
  if (/<!(?:doctype|entity)/i.test(text)) return 'The licence has a document type or entities.'
  const isRsl = text.includes('<rsl') && text.includes(`"${NAMESPACE}"`) && (answer.isCut || text.includes('</rsl>'))
  return isRsl && text.includes('<content ') ? undefined : 'The licence is not RSL 1.0.'
}

/** The price of a page in a licence: `USD 0.01`; undefined when it states none. */
function priceOf(license: string, page: string): string | undefined {
  const start = license.indexOf(`<content url="${page.replaceAll('&', '&amp;')}"`)
  if (start < 0) return undefined
  const content = license.slice(start, start + 4_096).split('</content>', 1)[0] ?? ''
  const [, currency, amount] = /<amount currency="([A-Z]{3})">([0-9.]{1,20})</.exec(content) ?? []
  return currency && amount && `${currency} ${amount}`
}

const isSamePrice = (one: string, other: string): boolean => {
  const [[currency, amount], [named, stated]] = [one.split(' '), other.split(' ')]
  return currency === named && Number(amount) === Number(stated)
}

/** The licence that a page for sale links, if it is on the site. */
const linkedBy = (page: SiteAnswer): string | undefined =>
  linkValues(page.headers.get('link')).find(({ rels, href }) => rels.includes('license') && isWebUrl(href))?.href

/** The licence for crawlers, where the site has one, exists and agrees with robots.txt and with a price. */
export const rslLicense: SiteRule = {
  id: 'rsl-license',
  category: 'crawling',
  summary: 'The RSL licence, if the site names one, exists and agrees with Content-Signal and with a price',
  weight: 1,
  fix: 'Serve the URL of License: in robots.txt as application/rsl+xml, with the uses of Content-Signal and the prices of the 402.',
  doc: 'https://rslstandard.org/rsl',
  async check(site) {
    const robots = site.robots.status === 200 ? site.robots.body.slice(0, MAX_ROBOTS) : ''
    const [, address] = LICENSE_LINE.exec(robots) ?? []
    if (address === undefined) return skip('robots.txt names no licence.')
    if (!isWebUrl(address)) return fail('License: in robots.txt is not an absolute URL.', address)
    if (!isOnSite(site, address)) return skip('The licence is on another host.')
    const answer = await site.get(address)
    if (answer.is !== 'answer') return skip(answer.reason)
    const fault = faultOf(answer)
    if (fault !== undefined) return fail(fault, `${address}: ${describe(answer)}`)
    const use = contradictionIn(answer.body.slice(0, MAX_LICENSE), robots)
    if (use !== undefined) return fail('The licence contradicts the Content-Signal of robots.txt.', use)

    const page = await findPaidPage(site)
    const price = page?.headers.get('crawler-price')
    if (!page || price === undefined) return pass('The licence exists and agrees with robots.txt.')
    const own = linkedBy(page)
    const terms = own !== undefined && isOnSite(site, own) ? await site.get(own) : answer
    if (terms.is !== 'answer') return pass('The licence exists and agrees with robots.txt.')
    const ownFault = faultOf(terms)
    if (ownFault !== undefined) return fail(ownFault, `${terms.url}: ${describe(terms)}`)
    const stated = priceOf(terms.body.slice(0, MAX_LICENSE), page.url)
    if (stated === undefined) return warn('The licence states no price for a page that is sold.', page.url)
    return isSamePrice(stated, price)
      ? pass('The licence agrees with robots.txt and with the price of a page.', price)
      : fail('The licence states another price than the 402.', `${stated} and ${price}: ${page.url}`)
  },
}
