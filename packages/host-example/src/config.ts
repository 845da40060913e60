import { LATER, VARIABLES, type Values, type VariableName } from './variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Configuration {
  readonly values: Values
  readonly production: boolean
  /** One sentence each, for standard error. */
  readonly warnings: readonly string[]
}

/** What stops the start; each line names a variable, what is wrong with it, and what helps. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}

/**
 * Reads the environment. An empty variable counts as one that is not set.
 *
 * @throws ConfigurationError that names every variable that is wrong, and every combination that makes no sense
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
  if (problems.length > 0) throw new ConfigurationError(problems)
  return {
    values: values as Values,
    production,
    warnings: [...warningsOf([...set.keys()], values as Values, production)],
  }
}

/** What belongs together, service by service. */
const TOGETHER: readonly (readonly VariableName[])[] = [
  ['OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'],
  ['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'],
  ['OAUTH_OIDC_ISSUER', 'OAUTH_OIDC_CLIENT_ID', 'OAUTH_OIDC_CLIENT_SECRET'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
]

/** Where nobody stands between a service and this machine. */
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** What is wrong although every single variable is right. */
function* combinations(
  { PORT = 3000, EEP_GATEWAY_PORT, TRANSCRIBER_URL }: Values,
  has: (name: VariableName) => boolean,
  production: boolean,
) {
  const missing = (name: VariableName, why: string) => `${name} is missing: ${why} (${VARIABLES[name].hint})`

  if (production && !has('EEP_SECRET')) yield missing('EEP_SECRET', 'production makes no secret of its own')
  if (production && !has('EEP_SIGNING_KEY')) yield missing('EEP_SIGNING_KEY', 'production makes no key of its own')
  if (EEP_GATEWAY_PORT !== undefined && EEP_GATEWAY_PORT !== 0 && EEP_GATEWAY_PORT === PORT) {
    yield `EEP_GATEWAY_PORT ${EEP_GATEWAY_PORT} is also PORT; choose another one`
  }

  for (const names of TOGETHER) {
    const absent = names.filter((name) => !has(name))
    if (absent.length === names.length) continue
    for (const name of absent) yield missing(name, `${names.filter(has)[0]} is set and of no use alone`)
  }

  const ofBucket = (['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID'] as const).find(has)
  if (ofBucket && !has('S3_BUCKET')) yield missing('S3_BUCKET', `${ofBucket} is set and of no use alone`)

  if (has('CLAMD_PORT') && !has('CLAMD_HOST')) yield missing('CLAMD_HOST', 'CLAMD_PORT is set and of no use alone')
  if (has('CLAMD_SOCKET') && has('CLAMD_HOST')) {
    yield 'CLAMD_SOCKET is another way to the clamd of CLAMD_HOST; keep one of the two'
  }

  if (has('STRIPE_PROFILE_ID') && !has('STRIPE_SECRET_KEY')) {
    yield missing('STRIPE_SECRET_KEY', 'STRIPE_PROFILE_ID is set and of no use alone')
  }
  const ofTranscriber = (['TRANSCRIBER_API_KEY', 'TRANSCRIBER_MODEL'] as const).find(has)
  if (ofTranscriber && !has('TRANSCRIBER_URL')) {
    yield missing('TRANSCRIBER_URL', `${ofTranscriber} is set and of no use alone`)
  }
  if (
    TRANSCRIBER_URL?.startsWith('http:') &&
    has('TRANSCRIBER_API_KEY') &&
    !LOCAL.has(new URL(TRANSCRIBER_URL).hostname)
  ) {
    yield 'TRANSCRIBER_URL is not https, and TRANSCRIBER_API_KEY would travel in the clear; leave one of the two out'
  }

  const remote = has('X402_FACILITATOR_URL')
  const local = has('X402_FACILITATOR_KEY')
  if (remote && local) {
    yield 'X402_FACILITATOR_KEY settles here and X402_FACILITATOR_URL settles elsewhere; keep one of the two'
  }
  if (local && !has('X402_RPC_URL')) yield missing('X402_RPC_URL', 'X402_FACILITATOR_KEY needs a chain to settle on')
  if ((remote || local) && !has('X402_PAY_TO')) yield missing('X402_PAY_TO', 'nobody would receive the payments')
  if (remote || local) return
  if (has('X402_PAY_TO')) {
    yield 'X402_PAY_TO is set, and nobody settles payments; set X402_FACILITATOR_URL or X402_FACILITATOR_KEY too'
  }
}

function* warningsOf(names: readonly string[], values: Values, production: boolean) {
  for (const name of names) {
    if (LATER[name]) yield `${name} is set, but this version has no ${LATER[name]} and ignores it`
    else if (/^(EEP|X402)_/.test(name) && !Object.hasOwn(VARIABLES, name)) {
      const likely = mostLike(name)
      yield `${name} is not known here and ignored${likely ? `; did you mean ${likely}?` : ''}`
    }
  }
  if (values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_PROFILE_ID === undefined) {
    yield 'STRIPE_PROFILE_ID is not set, so cards pay for subscriptions only, and for no page'
  }
  if (values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_WEBHOOK_SECRET === undefined) {
    yield 'STRIPE_WEBHOOK_SECRET is not set, so Stripe cannot tell who has paid on its pages or subscribed'
  }
  if (values.STRIPE_SECRET_KEY?.includes('_test_') && production) {
    yield 'STRIPE_SECRET_KEY is for tests: nobody is charged, and whoever knows a test card opens every page with a price'
  }
  if (values.EEP_TRUST_PROXY === true) {
    yield 'EEP_TRUST_PROXY "true" believes every caller who names an address; write the number of proxies instead'
  }
  if (production && values.EEP_BASE_URL === undefined) {
    yield 'EEP_BASE_URL is not set, so links and identifiers name the address of the listener'
  }
  if (production && values.SMTP_URL === undefined) {
    yield 'SMTP_URL is not set, so nobody gets mail: each is a file in the directory mail of EEP_DATA_DIR'
  }
}

/** The variable somebody may have meant. */
function mostLike(name: string): string | undefined {
  const [nearest] = Object.keys(VARIABLES)
    .map((known) => ({ known, distance: distance(name, known) }))
    .sort((left, right) => left.distance - right.distance)
  return nearest && nearest.distance <= 4 ? nearest.known : undefined
}

/** How many letters must be added, dropped or replaced to make one word of the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
