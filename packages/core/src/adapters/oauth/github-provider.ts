import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { assertInstalled } from '../../kernel/assert-installed.ts'
import type { OAuthProvider } from '../../ports/oauth-provider.ts'
import { isLocal, keepOnce, providerUrl, TIMEOUT_SECONDS } from '../provider-access.ts'

/** Options of {@link githubProvider}. */
export interface GithubProviderOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** The URL of a GitHub Enterprise Server. Default: github.com. */
  readonly baseUrl?: string | undefined
  /** The URL of its API. Default: that of github.com, or `/api/v3` below `baseUrl`. */
  readonly apiUrl?: string | undefined
}

const userSchema = z.looseObject({ id: z.int(), login: z.string(), name: z.string().nullish() })
const emailsSchema = z.array(z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', 'user-agent': 'eep' }

/**
 * Signs in with GitHub. The email address of a user is the primary one, and counts only when GitHub has verified it.
 *
 * @throws when `openid-client` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sign-in-providers.md
 * @example
 * const modules = [oauth({ providers: [githubProvider({ clientId, clientSecret })] })]
 * await app.register(eep, { ...options, auth })
 */
export function githubProvider(options: GithubProviderOptions): OAuthProvider {
  assertInstalled('openid-client')
  const { clientId, clientSecret, baseUrl = 'https://github.com' } = options
  const { apiUrl = options.baseUrl === undefined ? 'https://api.github.com' : `${baseUrl}/api/v3` } = options
  const site = providerUrl(baseUrl)
  const api = providerUrl(apiUrl)

  const configured = keepOnce(async (): Promise<Configuration> => {
    const client = await import('openid-client')
    const metadata = {
      issuer: `${baseUrl}/login/oauth`,
      authorization_endpoint: `${baseUrl}/login/oauth/authorize`,
      token_endpoint: `${baseUrl}/login/oauth/access_token`,
    }
    const authenticate = client.ClientSecretPost(clientSecret)
    const configuration = new client.Configuration(metadata, clientId, undefined, authenticate)
    configuration.timeout = TIMEOUT_SECONDS
    if (isLocal(site) || isLocal(api)) client.allowInsecureRequests(configuration)
    return configuration
  })

  async function get<Schema extends z.ZodType>(path: string, token: string, schema: Schema): Promise<z.output<Schema>> {
    const [client, configuration] = await Promise.all([import('openid-client'), configured()])
    const url = new URL(`${apiUrl}${path}`)
    const headers = new Headers(HEADERS)
    const response = await client.fetchProtectedResource(configuration, token, url, 'GET', null, headers)
    if (!response.ok) throw new Error(`GitHub responded with ${response.status} to ${path}`)
    return schema.parse(await response.json())
  }

  return {
    name: 'github',

    async start({ redirectUri, state }) {
      const [client, configuration] = await Promise.all([import('openid-client'), configured()])
      const verifier = client.randomPKCECodeVerifier()
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, memory: { verifier } }
    },

    async finish({ url, state, memory: { verifier = '' } }) {
      const [client, configuration] = await Promise.all([import('openid-client'), configured()])
      const { access_token: token } = await client.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      })
      const [user, emails] = await Promise.all([
        get('/user', token, userSchema),
        get('/user/emails?per_page=100', token, emailsSchema),
      ])
      const primary = emails.find((email) => email.primary)
      return {
        subject: String(user.id),
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
        fullName: user.name ?? user.login,
      }
    },
  }
}
