import { createPrivateKey, createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import type { SigningJwk } from '@eep/core'
import { emailAddress } from '@eep/core/email'
import { z } from 'zod'

/** How an environment variable is parsed, with a hint for invalid values. */
export interface Variable<Value> {
  /** Its messages follow the name of the variable: `is not a port number`. */
  readonly schema: z.ZodType<Value, string>
  readonly hint: string
  /** Whether its value is never printed. */
  readonly secret: boolean
}

const open = <Value>(schema: z.ZodType<Value, string>, hint: string): Variable<Value> => ({
  schema,
  hint,
  secret: false,
})
const secret = <Value>(schema: z.ZodType<Value, string>, hint: string): Variable<Value> => ({
  schema,
  hint,
  secret: true,
})

const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error)
const oneOf = <const Word extends string>(...words: readonly Word[]) =>
  z.enum(words, { error: `is none of ${words.join(', ')}` })
const word = matching(/^[\x21-\x7e]+$/, 'has a space, or characters that are not ASCII')
const splitAtCommas = z.string().transform((text) => text.split(',').map((part) => part.trim()))

/** Reads JSON; other text is passed on unchanged, for the next schema to reject. */
const fromJson = z.string().transform((text): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
})

const port = matching(/^\d{1,5}$/, 'is not a port number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'is not a port number')

const webUrl = z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// address' })

/** The address of a site, which is published. */
const siteUrl = webUrl
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
    error: 'has a user name or a password',
  })
  .refine((text) => !URL.canParse(text) || !new URL(text).hostname.endsWith('.'), {
    error: 'has a host that ends in a dot',
  })

const webOrigin = siteUrl.refine(
  (text) => URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`,
  'is not an origin: it has a path or a query',
)

const withoutSlash = (url: typeof webUrl) =>
  url.refine((text) => !/[?#]/.test(text), 'has a query or a fragment').transform((text) => text.replace(/\/+$/, ''))

const baseUrl = withoutSlash(webUrl)

const NO_DATABASE = 'is not a postgres:// address'
const postgresUrl = matching(/^postgres(ql)?:\/\/\S+$/, NO_DATABASE).refine(URL.canParse, NO_DATABASE)

const address = matching(/^0x[0-9a-fA-F]{40}$/, 'is not an address: 0x and 40 hexadecimal digits').refine(
  (text) => !/^0x0+$/.test(text),
  'is the zero address, whose money cannot be spent',
)

const token = z.strictObject({ address, name: z.string(), version: z.string(), decimals: z.int().min(0).max(36) })

export const secretSchema = splitAtCommas.pipe(z.array(z.string().min(32, 'is shorter than 32 characters')))

const jwk = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string().optional(),
})

const isKeyPair = ({ kty, crv, x, d }: SigningJwk): boolean => {
  try {
    const privateKey = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
    return createPublicKey(privateKey).export({ format: 'jwk' }).x === x
  } catch {
    return false
  }
}

const NO_KEY = 'is not an Ed25519 private key as JWK'

export const signingKeySchema = fromJson
  .pipe(
    z.union([jwk.transform((key) => [key]), z.array(jwk).min(1, NO_KEY)], {
      error: NO_KEY,
    }),
  )
  .transform((keys) => keys.map(({ kty, crv, x, d, kid }): SigningJwk => ({ kty, crv, x, d, kid })))
  .refine((keys) => keys.every(isKeyPair), 'has a key whose public part does not belong to its private part')

const NO_PROXY = 'is neither a number of proxies nor a list of their addresses'
const RANGES = ['loopback', 'linklocal', 'uniquelocal']

const isProxy = (text: string): boolean => {
  const [ip = '', bits = '0', ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1
  return RANGES.includes(text) || (rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

const proxies = z.union([
  z.enum(['true', 'false']).transform((word) => word === 'true'),
  matching(/^\d{1,2}$/, NO_PROXY).transform(Number),
  splitAtCommas.pipe(z.array(z.string().refine(isProxy, NO_PROXY))),
])

/** Every variable this host reads. */
export const VARIABLES = {
  NODE_ENV: open(oneOf('development', 'test', 'production'), 'leave it out, or write production'),
  PORT: open(port, 'for example 3000, or 0 for any free one'),
  HOST: open(matching(/^[\w.:%-]+$/, 'is not a host'), 'localhost for this machine only, 0.0.0.0 for every network'),
  EEP_GATEWAY_PORT: open(port, 'a second port, whose paths begin with /api; leave it out for none'),
  EEP_BASE_URL: open(withoutSlash(siteUrl), 'the public URL of this host, for example https://profiles.example.com'),
  EEP_NAME: open(
    z.string().max(128, 'has more than 128 characters'),
    'the name of the service on pages, in emails and manifests; default: Entity Identity and Engagement Service',
  ),
  EEP_FRONTEND_URL: open(
    withoutSlash(siteUrl),
    'the site to which sign-in providers return people, when it is not EEP_BASE_URL: https://app.example.com',
  ),
  EEP_TRUSTED_ORIGINS: open(
    splitAtCommas.pipe(z.array(webOrigin)),
    'other origins whose pages may use the cookies of this host, separated by commas: https://app.example.com',
  ),
  EEP_IMPRINT_URL: open(siteUrl, 'the address of the imprint, linked from every page'),
  EEP_PRIVACY_URL: open(siteUrl, 'the address of the privacy policy, linked from every page'),
  EEP_DATA_DIR: open(z.string(), 'a directory that this process may write to'),
  DATABASE_URL: secret(
    postgresUrl,
    'for example postgres://user:password@localhost:5432/eep; leave it out for the embedded database',
  ),
  DATABASE_REPLICA_URL: secret(
    postgresUrl,
    'a read replica of the PostgreSQL of DATABASE_URL, which serves searches and public reads; leave it out for none',
  ),
  DATABASE_POOL_SIZE: open(
    matching(/^\d{1,4}$/, 'is not a number of connections')
      .transform(Number)
      .refine((size) => size >= 2 && size <= 1_000, 'is not between 2 and 1000'),
    'how many connections to PostgreSQL this host opens at most; 10 is the default',
  ),
  EEP_SECRET: secret(secretSchema, 'make one with: openssl rand -base64 48'),
  EEP_SIGNING_KEY: secret(signingKeySchema, 'one JWK with kty OKP and crv Ed25519, or a JSON array of them'),
  X402_NETWORK: open(
    matching(/^(base|base-sepolia|eip155:[1-9]\d{0,15})$/, 'is not the name of an EVM network'),
    'for example eip155:8453 (Base) or eip155:84532 (Base Sepolia)',
  ),
  X402_ASSET: open(
    z.union([address, fromJson.pipe(token)], { error: 'is neither the address of a token nor its description' }),
    'leave it out for USDC, or write {"address":"0x…","name":"USDC","version":"2","decimals":6}',
  ),
  X402_PAY_TO: open(
    address,
    'the address that receives the money of owners without a payout wallet; leave it out for none',
  ),
  X402_FACILITATOR_URL: open(baseUrl, 'the address of a facilitator, without /verify or /settle'),
  X402_RPC_URL: secret(webUrl, 'the address of a JSON-RPC endpoint of the chain'),
  X402_RECOVERY_RPC_URL: secret(
    z.union([z.literal('off').transform(() => false as const), webUrl], {
      error: 'is neither off nor an http:// or https:// address',
    }),
    'off, or a JSON-RPC endpoint that is asked only about payments whose outcome was lost, where X402_RPC_URL is not set',
  ),
  X402_FACILITATOR_KEY: secret(
    matching(/^0x[0-9a-fA-F]{64}$/, 'is not a private key: 0x and 64 hexadecimal digits'),
    'the key of a wallet with some ether for gas, used for nothing else',
  ),
  X402_CONTRACT_PAYERS: open(
    oneOf('on', 'off').transform((word) => word === 'on'),
    'off refuses payments by contract wallets, whose code the gas key pays for',
  ),
  STRIPE_SECRET_KEY: secret(
    matching(/^(sk|rk)_(test|live)_\w+$/, 'is not a secret key of Stripe'),
    'a key that begins with sk_ or rk_, from the dashboard of Stripe',
  ),
  STRIPE_PROFILE_ID: open(
    matching(/^profile_\w+$/, 'is not the id of a profile at Stripe'),
    'the profile that shared payment tokens are made for, from the dashboard of Stripe',
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    splitAtCommas.pipe(z.array(matching(/^whsec_\w+$/, 'is not the signing secret of a webhook'))),
    'begins with whsec_; of <EEP_BASE_URL>/eep/payment/stripe/webhook in the dashboard of Stripe, and after a comma that of /stripe/subscription/webhook',
  ),
  STRIPE_API_BASE: open(
    baseUrl,
    'leave it out for Stripe itself; for tests, the address of a server with the same API',
  ),
  EEP_ADMIN_EMAILS: open(
    splitAtCommas.pipe(
      z.array(
        z.string().refine((part) => emailAddress.safeParse(part).success, 'has a part that is not an email address'),
      ),
    ),
    'email addresses, separated by commas; an account that has verified one of them is an administrator',
  ),
  SMTP_URL: secret(
    matching(/^smtps?:\/\/\S+$/, 'is not a smtp:// or smtps:// address').refine(
      URL.canParse,
      'is not a smtp:// or smtps:// address',
    ),
    'for example smtp://user:password@mail.example.com:587; default: each email is a file',
  ),
  MAIL_FROM: open(
    matching(/^([^<>@\r\n]+ <)?[^\s<>@,]+@[^\s<>@,]+>?$/, 'is not a sender').refine(
      (text) => text.includes('<') === text.endsWith('>'),
      'is not a sender',
    ),
    'for example Profiles <no-reply@example.com>',
  ),
  OAUTH_GITHUB_CLIENT_ID: open(word, 'the client id of an OAuth app of GitHub'),
  OAUTH_GITHUB_CLIENT_SECRET: secret(word, 'a client secret of the same app'),
  OAUTH_GOOGLE_CLIENT_ID: open(word, 'the client id of a web application of Google'),
  OAUTH_GOOGLE_CLIENT_SECRET: secret(word, 'the client secret of the same application'),
  OAUTH_OIDC_ISSUER: open(webUrl, 'the address below which an issuer has /.well-known/openid-configuration'),
  OAUTH_OIDC_CLIENT_ID: open(word, 'the client id of this host at the issuer'),
  OAUTH_OIDC_CLIENT_SECRET: secret(word, 'the client secret at the issuer'),
  S3_ENDPOINT: open(baseUrl, 'the address of an S3-compatible store; leave it out for AWS'),
  S3_REGION: open(word, 'for example eu-central-1; us-east-1 is the default'),
  S3_BUCKET: open(word, 'the bucket for files; leave it out to keep them in the data directory'),
  S3_ACCESS_KEY_ID: open(
    word,
    'the access key of an identity that may use the bucket; leave it out to use the identity of the machine',
  ),
  S3_SECRET_ACCESS_KEY: secret(word, 'the secret of that access key'),
  CLAMD_HOST: open(matching(/^[\w.:-]+$/, 'is not a host'), 'where clamd listens; leave it out to scan nothing'),
  CLAMD_PORT: open(port, 'the port of clamd, 3310 by default'),
  CLAMD_SOCKET: open(z.string(), 'the path of the local socket of clamd, instead of CLAMD_HOST'),
  TRANSCRIBER_URL: open(
    baseUrl,
    'where a speech service is that speaks the API of OpenAI, without /audio/transcriptions; leave it out for none',
  ),
  TRANSCRIBER_API_KEY: secret(word, 'the API key of the speech service; leave it out if the service needs none'),
  TRANSCRIBER_MODEL: open(word, 'the name of a model of the speech service; whisper-1 is the default'),
  EMBEDDINGS_URL: open(
    baseUrl,
    'where an embedding service is that speaks the API of OpenAI, without /embeddings; leave it out for the vectors of English words',
  ),
  EMBEDDINGS_API_KEY: secret(word, 'the API key of the embedding service; leave it out if the service needs none'),
  EMBEDDINGS_MODEL: open(word, 'the name of a model of the embedding service; text-embedding-3-small is the default'),
  EMBEDDINGS_DIMENSIONS: open(
    matching(/^\d{1,4}$/, 'is not a number of dimensions')
      .transform(Number)
      .refine((number) => number > 0 && number <= 4_096, 'is not between 1 and 4096'),
    'how many numbers a vector of EMBEDDINGS_MODEL has; 1536 is the default',
  ),
  EMBEDDINGS_MIN_SIMILARITY: open(
    matching(/^(0|1|0?\.\d{1,3})$/, 'is not a number from 0 to 1').transform(Number),
    'the cosine similarity to the query below which a text is not found by its meaning; 0.25 is the default, which fits text-embedding-3-small',
  ),
  EEP_TRUST_PROXY: open(proxies, 'for example 1 behind one proxy, or 10.0.0.0/8,loopback'),
  EEP_RATE_LIMIT_MULTIPLIER: open(
    matching(/^\d{1,7}(\.\d+)?$/, 'is not a positive number')
      .transform(Number)
      .refine((number) => number > 0 && number <= 1_000_000, 'is not between 0 and 1000000'),
    '1 for the limits as they are, 10 for ten times as many requests',
  ),
  EEP_DRAIN_SECONDS: open(
    matching(/^\d{1,3}$/, 'is not a number of seconds')
      .transform(Number)
      .refine((seconds) => seconds <= 300, 'is more than 300'),
    'how long a stopping host is not ready but still takes connections: twice the interval of health checks; 3 in production, else 0',
  ),
  EEP_DEV_CALLBACK_HOSTS: open(
    splitAtCommas.pipe(
      z.array(matching(/^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i, 'is not a list of hosts')),
    ),
    'hosts that webhooks may reach even if they are private or use plain http: localhost:4000,127.0.0.1:4000',
  ),
  EEP_PAYER_PROOF: open(
    oneOf('lookup', 'signed'),
    'signed requires the cookie of this service, and is the default in production; the default elsewhere is lookup',
  ),
  METRICS_TOKEN: secret(
    z.string().refine((text) => /^\S{16,}$/.test(text), 'has fewer than 16 characters, or spaces'),
    'the bearer token for /metrics; make one with: openssl rand -base64 24',
  ),
  METRICS_PORT: open(
    port,
    'a port for /metrics without a token, which only Prometheus can reach; leave it out for none',
  ),
  LOG_LEVEL: open(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info is the default'),
}

export type VariableName = keyof typeof VARIABLES

/** The parsed values of the variables that are set. */
export type Values = { readonly [Name in VariableName]?: z.output<(typeof VARIABLES)[Name]['schema']> }
