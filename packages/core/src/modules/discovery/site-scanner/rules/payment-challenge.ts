import { decodePaymentJson, parsePaymentChallenges } from '../../../../ports/payment-scheme.ts'
import { challengesOf, findPaidPage } from '../paid-page.ts'
import { fail, pass, type SiteRule, skip } from '../rule.ts'

/** A page that must be paid for, and uses the authentication scheme `Payment`, has valid challenges of it. */
export const paymentChallenge: SiteRule = {
  id: 'payment-challenge',
  category: 'payments',
  summary: 'Challenges of the scheme Payment, if the 402 of a paid page has any, are valid',
  weight: 4,
  fix: 'Send id, realm, method, intent and request (JSON in base64url without padding) with each Payment challenge, and expires as a time of RFC 3339.',
  doc: 'https://paymentauth.org/',
  async check(site) {
    const page = await findPaidPage(site)
    if (!page) return skip('No page with a price was found.')
    const header = challengesOf(page)
    const challenges = parsePaymentChallenges(header)
    if (challenges.length === 0) {
      if (/(^|,)\s*payment\s/i.test(header)) return fail('A Payment challenge lacks a parameter.', header)
      return skip('The 402 has no Payment challenge.')
    }
    for (const { request, expires, method } of challenges) {
      if (!decodePaymentJson(request))
        return fail('The request of a Payment challenge is not JSON in base64url.', page.url)
      if (expires !== undefined && !(/^\d{4}-\d\d-\d\dT/.test(expires) && !Number.isNaN(Date.parse(expires)))) {
        return fail('expires of a Payment challenge is not a time of RFC 3339.', `${method}: ${expires}`)
      }
    }
    if (page.headers.get('cache-control')?.includes('no-store') !== true) {
      return fail('The 402 is not marked "Cache-Control: no-store", so caches may keep its challenge.', page.url)
    }
    return pass('The Payment challenges are valid.', challenges.map(({ method }) => method).join(', '))
  },
}
