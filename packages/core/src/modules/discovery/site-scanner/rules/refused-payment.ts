import { envelopeIn, findOffers, NO_OFFER } from '../payment-envelope.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, isFilled } from '../site.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** A payment of nothing to the zero address, without a signature, on a chain that does not exist: it cannot be taken. */
const EMPTY_PAYMENT = Buffer.from(
  JSON.stringify({
    x402Version: 2,
    accepted: {
      scheme: 'exact',
      network: 'eip155:0',
      asset: ZERO_ADDRESS,
      amount: '0',
      payTo: ZERO_ADDRESS,
      maxTimeoutSeconds: 60,
      extra: { name: 'None', version: '1' },
    },
    payload: {
      signature: `0x${'0'.repeat(130)}`,
      authorization: {
        from: ZERO_ADDRESS,
        to: ZERO_ADDRESS,
        value: '0',
        validAfter: '0',
        validBefore: '1',
        nonce: `0x${'0'.repeat(64)}`,
      },
    },
  }),
).toString('base64')

/** A payment that cannot be accepted is refused with its reason. */
export const refusedPayment: SiteRule = {
  id: 'refused-payment',
  category: 'payments',
  summary: 'A payment that the site cannot accept is refused with its reason',
  weight: 3,
  fix: 'Answer a payment that you refuse with 402 and PAYMENT-RESPONSE: success false, errorReason, and the network of the payment.',
  doc: 'https://docs.x402.org/',
  async check(site) {
    const offered = await findOffers(site)
    if (!offered) return skip(NO_OFFER)
    const { page } = offered
    const answer = await site.get(page.url, { accept: 'application/json', 'payment-signature': EMPTY_PAYMENT })
    if (answer.is !== 'answer') return skip(answer.reason)
    if (answer.status >= 200 && answer.status < 300) {
      return fail('A payment of nothing, without a signature, opens the page.', describe(answer))
    }
    if (answer.status !== 402)
      return fail('The site does not return 402 for a payment that it cannot accept.', describe(answer))
    const response = envelopeIn(answer, 'payment-response')
    if (!response) return fail('The 402 has no PAYMENT-RESPONSE, as if nothing had been presented.', page.url)
    const { success, errorReason, network } = response
    if (success !== false || !isFilled(errorReason)) {
      return fail('PAYMENT-RESPONSE does not say that the payment was refused, and why.', page.url)
    }
    if (!isFilled(network)) return fail('PAYMENT-RESPONSE has no network, and clients refuse it.', page.url)
    return pass('A payment that cannot be accepted is refused with its reason.', errorReason)
  },
}
