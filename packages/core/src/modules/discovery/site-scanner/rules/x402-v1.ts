import { caip2Of } from '../../../../kernel/network.ts'
import { entriesOf, envelopeIn, findOffers, NO_OFFER } from '../payment-envelope.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { jsonOf } from '../site.ts'

type Entry = Readonly<Record<string, unknown>>

const same = (left: unknown, right: unknown): boolean => String(left).toLowerCase() === String(right).toLowerCase()

/** Whether an entry of version 1 is an offer of version 2. */
const agrees = (entry: Entry, offers: readonly Entry[]): boolean =>
  offers.some(
    ({ scheme, network, amount, asset, payTo }) =>
      same(entry.scheme, scheme) &&
      same(caip2Of(String(entry.network)), network) &&
      same(entry.maxAmountRequired, amount) &&
      same(entry.asset, asset) &&
      same(entry.payTo, payTo),
  )

/** Offers for clients of x402 version 1 are those of the header. */
export const x402V1: SiteRule = {
  id: 'x402-v1',
  category: 'payments',
  summary: 'The offers in the body of a 402, for clients of x402 version 1, agree with its header',
  weight: 2,
  fix: 'Send the same networks, amounts, tokens and receivers in accepts of the JSON body as in PAYMENT-REQUIRED, or leave x402Version and accepts out of the body.',
  doc: 'https://docs.x402.org/',
  async check(site) {
    const offered = await findOffers(site)
    if (!offered) return skip(NO_OFFER)
    const { page } = offered
    // The page may have been found as HTML.
    const answer = await site.get(page.url, { accept: 'application/json' })
    const body = answer.is === 'answer' && answer.status === 402 ? jsonOf(answer) : undefined
    if (answer.is !== 'answer' || body?.x402Version !== 1) {
      return pass('The 402 has no offers for clients of x402 version 1, which is optional.')
    }
    const entries = entriesOf(body)
    if (entries.length === 0) return fail('The body names x402 version 1 and has no offers.', page.url)
    const offers = entriesOf(envelopeIn(answer, 'payment-required'))
    const other = entries.find((entry) => !agrees(entry, offers))
    if (other) {
      const { maxAmountRequired, network } = other
      return fail('The body offers what the header does not.', `${maxAmountRequired} on ${network}: ${page.url}`)
    }
    return pass('The offers for clients of x402 version 1 agree with the header.', `${entries.length} in accepts`)
  },
}
