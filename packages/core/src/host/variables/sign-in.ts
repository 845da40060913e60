import { ConfigurationError } from '../configuration-error.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import { belongTogether } from '../rule.ts'
import { openVariable, secretVariable, webUrl, word } from '../variable.ts'
import { CORE } from './service.ts'

const client = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined

/** Sign-in with GitHub, Google and another issuer. */
export const signInVariables = defineHostAdapter({
  name: CORE,
  prefixes: ['OAUTH_'],
  variables: {
    OAUTH_GITHUB_CLIENT_ID: openVariable(word, 'the client id of an OAuth app of GitHub', '', {
      comment:
        'Sign-in with other providers. Register <EEP_BASE_URL>/auth/oauth/<github|google|oidc>/callback as the redirect URI.',
    }),
    OAUTH_GITHUB_CLIENT_SECRET: secretVariable(word, 'a client secret of the same app'),
    OAUTH_GOOGLE_CLIENT_ID: openVariable(word, 'the client id of a web application of Google'),
    OAUTH_GOOGLE_CLIENT_SECRET: secretVariable(word, 'the client secret of the same application'),
    OAUTH_OIDC_ISSUER: openVariable(
      webUrl,
      'the address below which an issuer has /.well-known/openid-configuration',
      'https://…',
    ),
    OAUTH_OIDC_CLIENT_ID: openVariable(word, 'the client id of this host at the issuer'),
    OAUTH_OIDC_CLIENT_SECRET: secretVariable(word, 'the client secret at the issuer'),
  },
  rules: [
    ...belongTogether('OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'),
    ...belongTogether('OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'),
    ...belongTogether('OAUTH_OIDC_ISSUER', 'OAUTH_OIDC_CLIENT_ID', 'OAUTH_OIDC_CLIENT_SECRET'),
  ],
  async parts(values) {
    const github = client(values.OAUTH_GITHUB_CLIENT_ID, values.OAUTH_GITHUB_CLIENT_SECRET)
    const google = client(values.OAUTH_GOOGLE_CLIENT_ID, values.OAUTH_GOOGLE_CLIENT_SECRET)
    const oidc = client(values.OAUTH_OIDC_CLIENT_ID, values.OAUTH_OIDC_CLIENT_SECRET)
    const issuer = values.OAUTH_OIDC_ISSUER
    if (!github && !google && !oidc) return undefined
    const { githubProvider } = await import('../../adapters/oauth/github-provider.ts')
    const { googleProvider, oidcProvider } = await import('../../adapters/oauth/oidc-provider.ts')
    const issuerAt = (url: string, credentials: NonNullable<typeof oidc>) => {
      try {
        return oidcProvider({ issuer: url, ...credentials })
      } catch (error) {
        // Secrets would be sent to the issuer unencrypted.
        throw new ConfigurationError([`OAUTH_OIDC_ISSUER ${error instanceof Error ? error.message : error}`])
      }
    }
    return {
      oauthProviders: [
        ...(github ? [githubProvider(github)] : []),
        ...(google ? [googleProvider(google)] : []),
        ...(oidc && issuer !== undefined ? [issuerAt(issuer, oidc)] : []),
      ],
    }
  },
})
