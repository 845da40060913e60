import type { OAuthServerSettings } from '../options.ts'
import { type App, httpsHosts } from './app.ts'

/** The apps that the operator configured, by id. */
export const configuredApps = (clients: OAuthServerSettings['clients']): ReadonlyMap<string, App> =>
  new Map(
    clients.map(({ id, name, redirectUris, secretHash, jwksUri }) => [
      id,
      {
        kind: 'configured',
        clientId: id,
        name,
        host: undefined,
        verified: true,
        redirectUris,
        authentication: secretHash !== undefined ? 'secret' : jwksUri !== undefined ? 'private_key_jwt' : 'none',
        listedHosts: httpsHosts(redirectUris),
        secretHash,
        jwksUri,
      },
    ]),
  )
