import { xmlText } from '../../../kernel/xml-text.ts'
import type { ContentSignal } from '../../../model/crawler-rules.ts'
import type { PricedResource } from './collect-resources.ts'
import { paymentInfo, perOf } from './payment-info.ts'

// Really Simple Licensing 1.0 (https://rslstandard.org/rsl). No element names a licence server: crawlers would have to ask it for a
// licence first. A price is paid where the content is, by the offers of its 402.

const NAMESPACE = 'https://rslstandard.org/rsl'

/** The media type of RSL. */
export const RSL_TYPE = 'application/rsl+xml'

/** The uses that the content signal of the service names, in the words of RSL. */
const USES: readonly (readonly [keyof ContentSignal, string])[] = [
  ['search', 'search'],
  ['aiInput', 'ai-input'],
  ['aiTrain', 'ai-train'],
]

/** A licence of a document: what it is for, and a payment or a document with more. */
interface LicensedContent {
  readonly url: string
  readonly payment?: string | undefined
  readonly terms?: string | undefined
}

const usageOf = (signal: ContentSignal, name: 'permits' | 'prohibits'): string => {
  const uses = USES.filter(([use]) => signal[use] === (name === 'permits')).map(([, use]) => use)
  return uses.length === 0 ? '' : `<${name} type="usage">${uses.join(',')}</${name}>`
}

function contentOf({ url, payment = '', terms }: LicensedContent, signal: ContentSignal): string {
  const license = `<license>${usageOf(signal, 'permits')}${usageOf(signal, 'prohibits')}${payment}</license>`
  const more = terms === undefined ? '' : `<terms>${xmlText(terms)}</terms>`
  return `<content url="${xmlText(url)}">${license}${more}</content>`
}

const documentOf = (contents: readonly LicensedContent[], signal: ContentSignal): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<rsl xmlns="${NAMESPACE}">\n${contents
      .map((content) => contentOf(content, signal))
      .join('\n')}\n</rsl>\n`,
  )

/** The kind of a payment, by what one payment opens: a single request, for good, or for a time. */
function paymentOf({ quote }: PricedResource): string {
  const per = perOf(quote)
  const type = per === 'request' ? 'crawl' : per === 'once' ? 'purchase' : 'subscription'
  const { currency, amount } = paymentInfo(quote).price
  return `<payment type="${type}"><amount currency="${xmlText(String(currency))}">${xmlText(String(amount))}</amount></payment>`
}

/** The address of a page or a file. */
const urlOf = ({ path }: PricedResource, publicUrl: string): string => publicUrl + path

/**
 * Writes the terms of a service: the uses of all its content, and where the terms of each seller are.
 *
 * @param sellers - the URLs of profiles that sell, without a trailing slash
 */
export const siteLicense = (publicUrl: string, signal: ContentSignal, sellers: readonly string[]): Buffer =>
  documentOf(
    [{ url: `${publicUrl}/` }, ...sellers.map((url) => ({ url: `${url}/`, terms: `${url}/license.xml` }))],
    signal,
  )

/** Writes the terms of a profile: the price of each page and file for a reader who proves nothing. */
export const profileLicense = (
  publicUrl: string,
  signal: ContentSignal,
  resources: readonly PricedResource[],
): Buffer =>
  documentOf(
    resources.map((resource) => ({ url: urlOf(resource, publicUrl), payment: paymentOf(resource) })),
    signal,
  )
