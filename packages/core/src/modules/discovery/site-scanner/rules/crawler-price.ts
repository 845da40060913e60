import { decodePaymentJson, parsePaymentChallenges } from '../../../../ports/payment-scheme.ts'
import { challengesOf, findPaidPage } from '../paid-page.ts'
import { entriesOf, envelopeIn } from '../payment-envelope.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'
import type { SiteAnswer } from '../site.ts'

const PRICE = /^([A-Z]{3}) (\d{1,12})(?:\.(\d{1,6}))?$/
const INTEGER = /^\d{1,30}$/

/** Currencies of which the smallest unit is the whole one. */
const WITHOUT_CENTS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND', 'CLP'])

/** The offers of a 402 in one currency, in millionths of it. Tokens of dollars have six decimals. */
function offersIn(page: SiteAnswer, currency: string): readonly bigint[] {
  const tokens = entriesOf(envelopeIn(page, 'payment-required')).flatMap(({ scheme, amount, extra }) => {
    const name = typeof extra === 'object' && extra !== null && 'name' in extra ? String(extra.name) : ''
    const isDollar = currency === 'USD' && scheme === 'exact' && /^(test )?usd/i.test(name)
    return isDollar && INTEGER.test(String(amount)) ? [BigInt(String(amount))] : []
  })
  const cards = parsePaymentChallenges(challengesOf(page)).flatMap(({ request }) => {
    const { amount, currency: named } = decodePaymentJson(request) ?? {}
    if (String(named).toUpperCase() !== currency || !INTEGER.test(String(amount))) return []
    return [BigInt(String(amount)) * (WITHOUT_CENTS.has(currency) ? 1_000_000n : 10_000n)]
  })
  return [...tokens, ...cards]
}

/** The price for crawlers is that of the offers. */
export const crawlerPrice: SiteRule = {
  id: 'crawler-price',
  category: 'payments',
  summary: 'crawler-price of a 402, if it has one, is its lowest offer',
  weight: 2,
  fix: 'Send the lowest price of the offers in crawler-price: USD 0.01.',
  doc: 'https://developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl/',
  async check(site) {
    const page = await findPaidPage(site)
    const header = page?.headers.get('crawler-price')
    if (!page || header === undefined) return skip('No 402 with crawler-price was found.')
    const [, currency, whole = '', fraction = ''] = PRICE.exec(header) ?? []
    if (currency === undefined) return fail('crawler-price is not a currency and a decimal.', header)
    const price = BigInt(whole + fraction.padEnd(6, '0'))
    const offers = offersIn(page, currency)
    if (offers.length === 0) return skip('The 402 has no offer in the currency of crawler-price.')
    return offers.includes(price) && offers.every((offer) => offer >= price)
      ? pass('crawler-price is the lowest offer.', header)
      : fail('crawler-price is not the lowest offer.', `${header}: ${page.url}`)
  },
}
