import { type AuthChallenge, challengeText } from '../../kernel/auth-challenge.ts'
import type { EepError } from '../../kernel/errors.ts'
import { CACHE_CONTROL } from '../../model/visibility.ts'
import { retrySeconds } from '../html/wait-text.ts'

/** Writes a path as a value of `Location`: what is not printable ASCII is percent-encoded. */
const locationOf = (path: string): string => path.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)

/** Writes the facts of an error as headers of its response, with other challenges than its own where they are given. */
export function headersOf(
  error: EepError,
  challenges: readonly AuthChallenge[] = error.challenges,
): Record<string, string | string[]> {
  const { visibility, size, upgrade, x402, crawler, movedTo } = error
  const headers: Record<string, string | string[]> = {}
  const seconds = retrySeconds(error)
  if (seconds !== undefined) headers['retry-after'] = String(seconds)
  if (visibility !== undefined) headers['cache-control'] = CACHE_CONTROL[visibility]
  if (movedTo !== undefined) headers.location = locationOf(movedTo)
  if (size !== undefined) headers['content-range'] = `bytes */${size}`
  if (upgrade) {
    headers.upgrade = upgrade.to
    headers.connection = 'upgrade'
    if (upgrade.versions) headers[`sec-${upgrade.to}-version`] = upgrade.versions.join(', ')
  }
  if (x402) {
    // Offers and outcomes are for one request, even where its route allows caches.
    headers['cache-control'] = 'no-store'
    if (x402.required !== undefined) {
      headers['payment-required'] = x402.required
      headers.vary = 'Accept'
    }
    if (x402.response !== undefined) headers['payment-response'] = x402.response
  }
  if (crawler?.price !== undefined) headers['crawler-price'] = crawler.price
  if (crawler?.error !== undefined) headers['crawler-error'] = crawler.error
  const written = challenges.map(challengeText)
  const [first] = written
  if (first !== undefined) headers['www-authenticate'] = written.length === 1 ? first : written
  return headers
}
