import type { Seal } from '../../../../kernel/seal.ts'
import { oauthError } from '../oauth-error.ts'
import type { App } from './app.ts'
import { checkClientId } from './client-id.ts'
import type { Documents } from './documents.ts'
import { isBlockedHost } from './redirect-uri.ts'
import { openRegistration } from './registered.ts'

/** The account or address that asks for an app. Fetches of its document are counted for the account, or for the address without one. */
export interface ResolveContext {
  /** The id of the account that is signed in. */
  readonly signedIn?: string | undefined
  /** The address of the client. Without an account and an address no document is fetched. */
  readonly address?: string | undefined
}

export interface ResolveClientDeps {
  readonly configured: ReadonlyMap<string, App>
  /** Undefined: apps cannot be known by a document. */
  readonly documents: Pick<Documents, 'get'> | undefined
  /** Undefined: registered apps are refused. */
  readonly registrations: Pick<Seal, 'open'> | undefined
  /** The hosts of this service, with their ports: files of its users are not documents of apps. */
  readonly ownHosts: ReadonlySet<string>
  /** Hosts whose apps are refused. */
  readonly blockedHosts: readonly string[]
}

/** Finds the app of a `client_id`. */
export type ResolveClient = (clientId: string, context: ResolveContext) => Promise<App>

/** Whether the operator blocks an app by the host of its id. Redirect URIs are checked one by one. */
export const isBlockedApp = ({ host }: { readonly host?: string | null | undefined }, blocked: readonly string[]) =>
  typeof host === 'string' && isBlockedHost(host.replace(/:\d+$/, ''), blocked)

/**
 * Creates the function that finds the app of a `client_id`: one that the operator configured, one that registered itself, or one whose
 * document is at that address.
 */
export function createResolveClient({
  configured,
  documents,
  registrations,
  ownHosts,
  blockedHosts,
}: ResolveClientDeps): ResolveClient {
  /** @throws `invalid_client`; `temporarily_unavailable` above the limits of fetches */
  return async (clientId, { signedIn, address }) => {
    const configuredApp = configured.get(clientId)
    if (configuredApp) return configuredApp
    const kind = checkClientId(clientId)
    if (kind === 'registered') {
      const app = registrations && openRegistration(clientId, registrations)
      if (app) return app
      throw oauthError('invalid_client', 'This registration is not known any more; register again')
    }
    if (kind === 'configured' || !documents) throw oauthError('invalid_client', 'This client_id is not known here')
    const { host, hostname } = new URL(clientId)
    if (ownHosts.has(host)) throw oauthError('invalid_client', 'The description of an app cannot be on this service')
    if (isBlockedApp({ host: hostname }, blockedHosts))
      throw oauthError('invalid_client', 'This service does not admit this app')
    const asker = signedIn !== undefined ? { account: signedIn } : address !== undefined ? { address } : undefined
    if (!asker) throw oauthError('invalid_client', 'Sign in before the description of this app is read')
    return documents.get(clientId, asker)
  }
}
