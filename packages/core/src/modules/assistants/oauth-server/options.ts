import { z } from 'zod'
import type { FeatureSettings } from '../../../framework/module/feature.ts'
import { callback, distinct } from '../../../framework/options/fields.ts'
import { redirectKind } from './clients/redirect-uri.ts'

const host = z.string().regex(/^[a-z0-9.-]{1,253}$/, 'Must be a host in lowercase ASCII, such as app.example')
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'Must be the SHA-256 of the secret, as 64 lowercase hex digits')
const id = z.string().regex(/^(?!eepd_)[A-Za-z0-9._~-]{1,200}$/, 'Must be 1 to 200 letters, digits and . _ ~ -')
const httpsUrl = z.url({ protocol: /^https$/ })
const path = z.string().regex(/^(?:\/[a-z0-9._-]{1,60}){1,4}$/, 'Must be a path such as /oauth/token')

const redirect = z
  .string()
  .refine((uri) => redirectKind(uri) !== undefined, 'Must be a redirect URI without a fragment, user name or wildcard')

const client = z
  .strictObject({
    id,
    name: z.string().min(1).max(60),
    redirectUris: z.array(redirect).max(20).readonly(),
    secretHash: sha256Hex.optional(),
    jwksUri: httpsUrl.optional(),
  })
  .refine(({ secretHash, jwksUri }) => secretHash === undefined || jwksUri === undefined, {
    error: 'An app proves itself by a secret or by its keys, not by both',
  })

/** Limits of spending in one currency, in whole units: 5 is 5 dollars. */
const limit = (purchase: number, day: number, month: number) =>
  z
    .strictObject({
      purchase: z.number().min(0).max(1_000_000).default(purchase),
      day: z.number().min(0).max(1_000_000).default(day),
      month: z.number().min(0).max(1_000_000).default(month),
      accountMonth: z.number().min(0).max(10_000_000).default(200),
    })
    .prefault({})

/** The options of the feature. */
export const oauthServerOptions = {
  /**
   * How long access tokens are valid, in seconds.
   * @default 3600
   */
  accessTokenSeconds: z.int().min(60).max(86_400).default(3_600),
  /**
   * After how many days without use a connection ends.
   * @default 60
   */
  idleDays: z.int().min(1).max(365).default(60),
  /**
   * After how many days a connection ends, used or not.
   * @default 365
   */
  maxDays: z.int().min(1).max(3_650).default(365),
  /**
   * How long an authorization code can be redeemed, in seconds.
   * @default 60
   */
  codeSeconds: z.int().min(10).max(600).default(60),
  /**
   * Apps may be known by the document at their `client_id` (Client ID Metadata Documents). The service fetches it.
   * @default true
   */
  cimd: z.boolean().default(true),
  /**
   * Apps may register themselves (RFC 7591). Nothing is stored of them.
   * @default true
   */
  registration: z.boolean().default(true),
  /**
   * Devices without a browser may ask for a code that a person enters at `/device` (RFC 8628).
   * @default true
   */
  device: z.boolean().default(true),
  /**
   * Apps that the operator trusts, with the SHA-256 of a secret or the address of their keys.
   * @default []
   */
  clients: distinct(client, (each) => each.id, 'Two clients have the same id')
    .readonly()
    .default([]),
  /**
   * Hosts whose apps are refused: those of a `client_id` and of redirect URIs, with their subdomains. Their connections end with the next
   * refresh.
   * @default []
   */
  blockedClients: z.array(host).max(1_000).readonly().default([]),
  /**
   * Redirect URIs with a scheme other than https that apps may use, as whole addresses. Loopback addresses need no entry.
   * @default ["cursor://anysphere.cursor-mcp/oauth/callback"]
   */
  privateUseRedirects: z
    .array(
      redirect.refine((uri) => redirectKind(uri) === 'private-use', 'Must have a scheme other than http and https'),
    )
    .max(50)
    .readonly()
    .default(['cursor://anysphere.cursor-mcp/oauth/callback']),
  /**
   * The scopes that people can grant to apps. Default: those of API keys without `manage:keys`, `read:audit` and
   * `write:subscriptions`, and `spend:payments`.
   * @default none
   */
  grantableScopes: z.array(z.string().min(1).max(100)).min(1).max(200).readonly().optional(),
  /**
   * The most that one app may spend in the name of an account: for a purchase, in a day and in a month (UTC), and for all apps of the account
   * in a month. In dollars and euros; credits in whole credits a day.
   * @default { usd: { purchase: 5, day: 10, month: 50, accountMonth: 200 }, eur: the same, creditsPerDay: 1000 }
   */
  spending: z
    .strictObject({
      usd: limit(5, 10, 50),
      eur: limit(5, 10, 50),
      creditsPerDay: z.int().min(0).max(10_000_000).default(1_000),
    })
    .prefault({}),
  /**
   * Services that may ask whether an access token is valid (RFC 7662), with the SHA-256 of their secret. Without one there is no
   * introspection.
   * @default []
   */
  resourceServers: distinct(z.strictObject({ id, secretHash: sha256Hex }), (each) => each.id, 'Two have the same id')
    .readonly()
    .default([]),
  /**
   * With `auth.hostAuth`: returns the address where people sign in to the host and come back. Required there. `reauthenticate`: they must
   * prove again who they are.
   * @default none
   */
  signInUrl: callback<(returnTo: string, options: { readonly reauthenticate: boolean }) => string>().optional(),
  /**
   * How many live connections an account may have. The least recently used ends when there would be more.
   * @default 100
   */
  maxConnections: z.int().min(1).max(1_000).default(100),
  /**
   * Moves routes: `{ token: '/oauth2/token' }`. The metadata follow.
   * @default { authorize: "/oauth/authorize", token: "/oauth/token", register: "/oauth/register", revoke: "/oauth/revoke", deviceAuthorization: "/oauth/device_authorization", introspect: "/oauth/introspect", device: "/device" }
   */
  paths: z
    .strictObject({
      authorize: path.default('/oauth/authorize'),
      token: path.default('/oauth/token'),
      register: path.default('/oauth/register'),
      revoke: path.default('/oauth/revoke'),
      deviceAuthorization: path.default('/oauth/device_authorization'),
      introspect: path.default('/oauth/introspect'),
      device: path.default('/device'),
    })
    .prefault({}),
}

/** The options with every default filled in. */
export type OAuthServerSettings = FeatureSettings<typeof oauthServerOptions>
