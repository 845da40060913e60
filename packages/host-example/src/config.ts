import { productionWarnings } from './production-warnings.ts'
import { unknownVariables } from './unknown-variables.ts'
import { VARIABLES, type Values, type VariableName } from './variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Configuration {
  readonly values: Values
  readonly production: boolean
  /** Warnings for standard error, one sentence each. */
  readonly warnings: readonly string[]
}

/** Prevents the start. Each line names a variable, its problem and a fix. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}

/**
 * Reads the environment. An empty variable counts as unset.
 *
 * @throws ConfigurationError that names every invalid variable and every invalid combination
 */
export function readConfig(environment: Environment): Configuration {
  const set = new Map(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())),
  )
  const values: Record<string, unknown> = {}
  const problems: string[] = []

  for (const [name, { schema, hint, secret }] of Object.entries(VARIABLES)) {
    const text = set.get(name)?.trim()
    if (text === undefined) continue
    const result = schema.safeParse(text)
    if (result.success) values[name] = result.data
    else problems.push(`${name} ${secret ? '' : `"${text}" `}${result.error.issues[0]?.message} (${hint})`)
  }

  const production = values.NODE_ENV === 'production'
  problems.push(...combinations(values as Values, (name) => set.has(name), production))
  const unknown = unknownVariables(set)
  // With a misspelt variable, the host would run without its setting, for example on an empty database.
  if (production) problems.push(...unknown)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return {
    values: values as Values,
    production,
    warnings: [
      ...unknown,
      ...warningsOf(values as Values),
      ...(production ? productionWarnings(values as Values) : []),
    ],
  }
}

/** How payers prove themselves. Default: `signed` in production, `lookup` elsewhere. */
export const payerProofOf = ({ EEP_PAYER_PROOF, NODE_ENV }: Values): 'lookup' | 'signed' | undefined =>
  EEP_PAYER_PROOF ?? (NODE_ENV === 'production' ? 'signed' : undefined)

/** Variables that belong together, by external service. */
const TOGETHER: readonly (readonly VariableName[])[] = [
  ['OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'],
  ['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'],
  ['OAUTH_OIDC_ISSUER', 'OAUTH_OIDC_CLIENT_ID', 'OAUTH_OIDC_CLIENT_SECRET'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
]

/** Addresses of this machine. */
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns problems of valid variables in combination. */
function* combinations(
  { PORT = 3000, EEP_GATEWAY_PORT, TRANSCRIBER_URL, EMBEDDINGS_URL }: Values,
  has: (name: VariableName) => boolean,
  production: boolean,
) {
  const missing = (name: VariableName, why: string) => `${name} is missing: ${why} (${VARIABLES[name].hint})`

  if (production && !has('EEP_SECRET')) yield missing('EEP_SECRET', 'production does not generate one')
  if (production && !has('EEP_SIGNING_KEY')) yield missing('EEP_SIGNING_KEY', 'production does not generate one')
  if (EEP_GATEWAY_PORT !== undefined && EEP_GATEWAY_PORT !== 0 && EEP_GATEWAY_PORT === PORT) {
    yield `EEP_GATEWAY_PORT ${EEP_GATEWAY_PORT} is also PORT; choose another one`
  }

  for (const name of ['DATABASE_REPLICA_URL', 'DATABASE_POOL_SIZE'] as const) {
    if (has(name) && !has('DATABASE_URL')) yield missing('DATABASE_URL', `${name} is set but has no effect alone`)
  }
  if (production && has('EEP_DEV_CALLBACK_HOSTS')) yield 'EEP_DEV_CALLBACK_HOSTS is for development only; remove it'

  for (const names of TOGETHER) {
    const absent = names.filter((name) => !has(name))
    if (absent.length === names.length) continue
    for (const name of absent) yield missing(name, `${names.filter(has)[0]} is set but has no effect alone`)
  }

  const ofBucket = (['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID'] as const).find(has)
  if (ofBucket && !has('S3_BUCKET')) yield missing('S3_BUCKET', `${ofBucket} is set but has no effect alone`)

  if (has('CLAMD_PORT') && !has('CLAMD_HOST')) yield missing('CLAMD_HOST', 'CLAMD_PORT is set but has no effect alone')
  if (has('CLAMD_SOCKET') && has('CLAMD_HOST')) {
    yield 'CLAMD_SOCKET and CLAMD_HOST are both set; keep one of the two'
  }

  if (has('STRIPE_PROFILE_ID') && !has('STRIPE_SECRET_KEY')) {
    yield missing('STRIPE_SECRET_KEY', 'STRIPE_PROFILE_ID is set but has no effect alone')
  }
  const services = [
    ['TRANSCRIBER_URL', TRANSCRIBER_URL, 'TRANSCRIBER_API_KEY', 'TRANSCRIBER_MODEL'],
    [
      'EMBEDDINGS_URL',
      EMBEDDINGS_URL,
      'EMBEDDINGS_API_KEY',
      'EMBEDDINGS_MODEL',
      'EMBEDDINGS_DIMENSIONS',
      'EMBEDDINGS_MIN_SIMILARITY',
    ],
  ] as const
  for (const [name, url, key, ...others] of services) {
    const alone = [key, ...others].find(has)
    if (alone && !has(name)) yield missing(name, `${alone} is set but has no effect alone`)
    if (url?.startsWith('http:') && has(key) && !LOCAL.has(new URL(url).hostname)) {
      yield `${name} is not https, so ${key} would be sent unencrypted; leave one of the two out`
    }
  }

  const remote = has('X402_FACILITATOR_URL')
  const local = has('X402_FACILITATOR_KEY')
  if (remote && local) {
    yield 'X402_FACILITATOR_KEY and X402_FACILITATOR_URL are both set; keep one of the two'
  }
  if (local && !has('X402_RPC_URL')) yield missing('X402_RPC_URL', 'X402_FACILITATOR_KEY needs a chain to settle on')
  if (remote || local) return
  if (has('X402_PAY_TO')) {
    yield 'X402_PAY_TO is set without a facilitator; set X402_FACILITATOR_URL or X402_FACILITATOR_KEY too'
  }
}

function* warningsOf(values: Values) {
  if (values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_PROFILE_ID === undefined) {
    yield 'STRIPE_PROFILE_ID is not set, so cards pay for subscriptions only, and for no page'
  }
  if (values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_WEBHOOK_SECRET === undefined) {
    yield 'STRIPE_WEBHOOK_SECRET is not set, so payments on Stripe pages and subscriptions are not reported'
  }
  if (values.EEP_TRUST_PROXY === true) {
    yield 'EEP_TRUST_PROXY "true" trusts addresses that clients send; set the number of proxies instead'
  }
}
