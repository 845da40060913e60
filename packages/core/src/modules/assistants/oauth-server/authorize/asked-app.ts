import type { AppGrant } from '../../../../ports/storage/connected-apps.ts'
import { type App, canSpend, reachesApp, snapshotOf, spenderOf } from '../clients/app.ts'
import { redirectKind } from '../clients/redirect-uri.ts'
import type { AnswerTarget, AppTrust } from './consent-page.ts'

/** Where the answer for an app goes. Undefined for the device grant. */
type RedirectUri = string | undefined

/** How far a person can know that an answer reaches the app which is named. */
export function trustOf(app: App, redirectUri: RedirectUri): AppTrust {
  if (app.kind === 'configured') return 'configured'
  if (app.kind === 'registered') return 'unverified'
  const isReached = redirectUri === undefined ? app.authentication === 'private_key_jwt' : reachesApp(app, redirectUri)
  return isReached ? 'checked' : 'claimed'
}

/** Where an answer goes, as the page shows it. */
export function targetOf(redirectUri: string): AnswerTarget {
  const { host, protocol } = new URL(redirectUri)
  const kind = redirectKind(redirectUri)
  if (kind === 'https') return { kind: 'host', host }
  return kind === 'loopback' ? { kind: 'computer' } : { kind: 'scheme', scheme: protocol }
}

/** The source that a form must be allowed to lead to: an origin, or a scheme of a program. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, host, hostname } = new URL(redirectUri)
  if (redirectKind(redirectUri) === 'private-use') return protocol
  // A source cannot name an address of IPv6, so the scheme is allowed.
  return hostname.startsWith('[') ? protocol : origin === 'null' ? `${protocol}//${host}` : origin
}

/** What of a grant follows from the app. */
export const grantOf = (app: App, redirectUri: RedirectUri): Pick<AppGrant, 'app' | 'maySpend' | 'spender'> => ({
  app: snapshotOf(app, redirectUri),
  maySpend: canSpend(app, redirectUri),
  spender: spenderOf(app),
})
