import { githubProvider, googleProvider, oidcProvider } from '@eep/core/oauth'
import type { OAuthProvider } from '@eep/core/ports'
import { ConfigurationError } from './config.ts'
import type { Values } from './variables.ts'

/**
 * Returns the configured providers.
 *
 * @throws ConfigurationError when secrets would be sent to the issuer unencrypted
 */
export function configuredProviders(values: Values): OAuthProvider[] {
  const github = client(values.OAUTH_GITHUB_CLIENT_ID, values.OAUTH_GITHUB_CLIENT_SECRET)
  const google = client(values.OAUTH_GOOGLE_CLIENT_ID, values.OAUTH_GOOGLE_CLIENT_SECRET)
  const oidc = client(values.OAUTH_OIDC_CLIENT_ID, values.OAUTH_OIDC_CLIENT_SECRET)
  const { OAUTH_OIDC_ISSUER: issuer } = values
  return [
    ...(github ? [githubProvider(github)] : []),
    ...(google ? [googleProvider(google)] : []),
    ...(oidc && issuer !== undefined ? [issuerAt(issuer, oidc)] : []),
  ]
}

const client = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined

function issuerAt(issuer: string, credentials: { readonly clientId: string; readonly clientSecret: string }) {
  try {
    return oidcProvider({ issuer, ...credentials })
  } catch (error) {
    throw new ConfigurationError([`OAUTH_OIDC_ISSUER ${error instanceof Error ? error.message : error}`])
  }
}
