import type { ClientAuth, Configuration } from 'openid-client'
import { z } from 'zod'
import { assertInstalled } from '../../kernel/assert-installed.ts'
import type { OAuthProvider } from '../../ports/oauth-provider.ts'
import { isLocal, keepOnce, providerUrl, TIMEOUT_SECONDS } from '../provider-access.ts'

/** Options of {@link oidcProvider}. */
export interface OidcProviderOptions {
  /** In the path: `/auth/oauth/<name>`. Default: `oidc`. */
  readonly name?: string | undefined
  /** Its metadata is read from `/.well-known/openid-configuration` at the first sign-in. https, or http on this machine. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

const claimsSchema = z.looseObject({
  sub: z.string(),
  email: z.string().optional(),
  // Some issuers write it as text.
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  name: z.string().optional(),
})

/**
 * Signs in with any OpenID Connect issuer: discovery, PKCE, nonce, and the signature of the ID token checked with the
 * issuer's keys. An account is only created or linked for a user with `email_verified`.
 *
 * @throws when `openid-client` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sign-in-providers.md
 * @example
 * const modules = [oauth({ providers: [oidcProvider({ issuer: 'https://id.example.com', clientId, clientSecret })] })]
 * await app.register(eep, { ...options, auth })
 */
export function oidcProvider({ name = 'oidc', issuer, clientId, clientSecret }: OidcProviderOptions): OAuthProvider {
  assertInstalled('openid-client')
  const server = providerUrl(issuer)

  const configured = keepOnce(async (): Promise<Configuration> => {
    const client = await import('openid-client')
    // In the body, because servers disagree about how to escape it in a header.
    const authenticate: ClientAuth = (metadata, ...request) => {
      const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const inHeader = methods.includes('client_secret_basic') && !methods.includes('client_secret_post')
      return (inHeader ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret)(metadata, ...request)
    }
    return client.discovery(server, clientId, undefined, authenticate, {
      timeout: TIMEOUT_SECONDS,
      execute: [client.enableNonRepudiationChecks, ...(isLocal(server) ? [client.allowInsecureRequests] : [])],
    })
  })

  return {
    name,

    async start({ redirectUri, state }) {
      const [client, configuration] = await Promise.all([import('openid-client'), configured()])
      const verifier = client.randomPKCECodeVerifier()
      const nonce = client.randomNonce()
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, memory: { verifier, nonce } }
    },

    async finish({ url, state, memory: { verifier = '', nonce = '' } }) {
      const [client, configuration] = await Promise.all([import('openid-client'), configured()])
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      })
      const claims = claimsSchema.parse(tokens.claims())
      const isComplete = claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint
      const user = isComplete
        ? claims
        : claimsSchema.parse(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub))
      return {
        subject: claims.sub,
        email: user.email ?? null,
        emailVerified: String(user.email_verified) === 'true',
        fullName: user.name ?? claims.name ?? null,
      }
    },
  }
}

/**
 * Signs in with Google.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sign-in-providers.md
 * @example
 * const modules = [oauth({ providers: [googleProvider({ clientId, clientSecret })] })]
 * await app.register(eep, { ...options, auth })
 */
export const googleProvider = (
  options: Pick<OidcProviderOptions, 'clientId' | 'clientSecret'> & Partial<Pick<OidcProviderOptions, 'issuer'>>,
): OAuthProvider => oidcProvider({ issuer: 'https://accounts.google.com', ...options, name: 'google' })
