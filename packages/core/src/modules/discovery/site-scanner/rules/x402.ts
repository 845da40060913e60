import { z } from 'zod'
import { parsePaymentChallenges } from '../../../../ports/payment-scheme.ts'
import { takesNoPayments } from '../eep-documents.ts'
import { challengesOf, findPaidPage } from '../paid-page.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'

const filled = z.string().min(1)

/** `PaymentRequired` of x402 v2, as its clients read it. */
const paymentRequired = z.looseObject({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.url() }),
  accepts: z
    .array(
      z.looseObject({
        scheme: filled,
        network: z.string().regex(/^[^:]+:.+$/, 'is not a CAIP-2 network'),
        amount: z.string().regex(/^\d+$/, 'is not an integer in atomic units'),
        asset: filled,
        payTo: filled,
        maxTimeoutSeconds: z.number().positive(),
      }),
    )
    .min(1),
})

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

function decode(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

const offersNothing = (challenge: unknown): boolean =>
  z.looseObject({ accepts: z.array(z.unknown()).max(0) }).safeParse(challenge).success

/** A page that must be paid for has a valid x402 challenge. */
export const x402: SiteRule = {
  id: 'x402',
  category: 'payments',
  summary: 'The 402 of a paid page, if the site has one, has a valid x402 challenge',
  weight: 5,
  fix: 'Send PAYMENT-REQUIRED with each 402: PaymentRequired of x402 v2 as JSON in base64, with at least one entry in accepts.',
  doc: 'https://docs.x402.org/',
  async check(site) {
    const page = await findPaidPage(site)
    if (!page) return skip('No page with a price was found.')
    const header = page.headers.get('payment-required')
    // A challenge without an offer, as of a service that cannot take payments now.
    const isEmpty = header !== undefined && offersNothing(decode(header))
    if (header === undefined || isEmpty) {
      const others = parsePaymentChallenges(challengesOf(page))
      if (others.length > 0) return skip('The page is paid for with the scheme Payment.')
      if (await takesNoPayments(site)) return skip('The EEP manifest declares that the site takes no payments.')
      return fail(isEmpty ? 'PAYMENT-REQUIRED has no offer.' : 'The 402 has no PAYMENT-REQUIRED header.', page.url)
    }
    if (!BASE64.test(header)) return fail('PAYMENT-REQUIRED is not base64 of the standard alphabet.', page.url)
    const result = paymentRequired.safeParse(decode(header))
    if (!result.success) {
      const [issue] = result.error.issues
      return fail(`PAYMENT-REQUIRED is not valid: ${issue?.path.join('.') || 'JSON'} ${issue?.message}.`, page.url)
    }
    const [offer] = result.data.accepts
    return pass('The x402 challenge is valid.', `${offer?.scheme} on ${offer?.network}: ${page.url}`)
  },
}
