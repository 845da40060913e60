import { findPaidPage } from './paid-page.ts'
import { isRecord, type Site, type SiteAnswer } from './site.ts'

/** Parses an envelope of x402 in a header: JSON in base64. Undefined when it is not an object. */
export function envelopeIn({ headers }: Pick<SiteAnswer, 'headers'>, name: string) {
  const header = headers.get(name)
  if (header === undefined) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The entries of `accepts` in an envelope or body of x402; none when it has no list. */
export const entriesOf = (envelope: Readonly<Record<string, unknown>> | undefined) =>
  Array.isArray(envelope?.accepts) ? envelope.accepts.filter(isRecord) : []

/** Why a rule about offers of x402 is skipped. */
export const NO_OFFER = 'No page with an x402 offer was found.'

/** Finds a page with offers of x402, and the envelope that has them. Undefined when the site has none. */
export async function findOffers(site: Site) {
  const page = await findPaidPage(site)
  const required = page && envelopeIn(page, 'payment-required')
  return page && required && entriesOf(required).length > 0 ? { page, required } : undefined
}
