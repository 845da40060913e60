import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ConfigurationError,
  defineHostAdapter,
  envExample,
  makeParts,
  openVariable,
  readConfig as readHostConfig,
  variablesOf,
  word,
} from '@eep/core/host'
import { describe, expect, it } from 'vitest'
import { host } from './host.ts'

const ADDRESS = `0x${'1'.repeat(40)}`
const KEY = `0x${'2'.repeat(64)}`
// The key of RFC 8037, appendix A.
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}

type Environment = Readonly<Record<string, string>>

const readConfig = (environment: Environment) => readHostConfig(host, environment)

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.split('\n')
  }
}

const firstValue = (environment: Environment) => Object.values(readConfig(environment).values)[0]

describe('a variable', () => {
  it.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['HOST', 'not a host'],
    ['EEP_GATEWAY_PORT', '3000.5'],
    ['EEP_BASE_URL', 'profiles.example.com'],
    ['EEP_BASE_URL', 'ftp://profiles.example.com'],
    ['EEP_BASE_URL', 'https://user:secret@profiles.example.com'],
    ['EEP_BASE_URL', 'https://profiles.example.com.'],
    ['EEP_BASE_URL', 'https://profiles.example.com/?a=b'],
    ['DATABASE_URL', 'mysql://localhost/eep'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_REPLICA_URL', 'replica'],
    ['DATABASE_POOL_SIZE', '1'],
    ['EEP_DRAIN_SECONDS', '301'],
    ['EEP_FRONTEND_URL', 'app.example.com'],
    ['EEP_TRUSTED_ORIGINS', 'https://app.example.com/path'],
    ['EEP_IMPRINT_URL', 'imprint'],
    ['EEP_PRIVACY_URL', '//evil.example'],
    ['EEP_LOGO', '/none/logo.svg'],
    ['EEP_DISCOVERY_CONTACT_URL', 'contact'],
    ['EEP_DISCOVERY_TAGS', 'a,b,c,d,e,f'],
    ['EEP_DISCOVERY_TAGS', 'one,ONE'],
    ['EEP_DISCOVERY_TAGS', 'né'],
    ['EEP_DISCOVERY_SERVICE_NAME', 'A name that is longer than catalogues accept'],
    ['EEP_DISCOVERY_CATEGORIES', 'a,b,c,d,e,f'],
    ['EEP_DISCOVERY_CATEGORIES', 'a,,b'],
    ['EEP_DISCOVERY_DOCUMENTS', 'rsl,sitemap'],
    ['EEP_MCP', 'yes'],
    ['EEP_OAUTH_REGISTRATION', 'no'],
    ['EEP_ACCENT', 'green'],
    ['EEP_SECRET', 'short'],
    ['EEP_SECRET', `${'long enough '.repeat(4)},short`],
    ['EEP_SIGNING_KEY', 'secret'],
    ['EEP_SIGNING_KEY', '[]'],
    ['EEP_SIGNING_KEY', JSON.stringify({ ...JWK, crv: 'P-256' })],
    ['EEP_SIGNING_KEY', JSON.stringify({ ...JWK, d: JWK.x })],
    ['X402_NETWORK', 'solana'],
    ['X402_ASSET', '0x1234'],
    ['X402_ASSET', `{"address":"${ADDRESS}"}`],
    ['X402_PAY_TO', '0x1234'],
    ['X402_PAY_TO', `0x${'0'.repeat(40)}`],
    ['X402_FACILITATOR_URL', 'facilitator'],
    ['X402_RPC_URL', 'ws://localhost:8545'],
    ['X402_RECOVERY_RPC_URL', 'none'],
    ['X402_CONTRACT_PAYERS', 'false'],
    ['X402_FACILITATOR_KEY', ADDRESS],
    ['STRIPE_SECRET_KEY', 'pk_test_123'],
    ['STRIPE_PROFILE_ID', 'acct_123'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1, sk_test_2'],
    ['OAUTH_OIDC_ISSUER', 'id.example'],
    ['OAUTH_GITHUB_CLIENT_ID', 'an id'],
    ['EEP_ADMIN_EMAILS', 'ada'],
    ['EEP_ADMIN_EMAILS', 'ada@example.com,'],
    ['CLAMD_HOST', 'tcp://clamd'],
    ['CLAMD_PORT', '70000'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['MAIL_FROM', 'no address'],
    ['MAIL_FROM', 'Profiles <no-reply@example.com'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['EEP_TRUST_PROXY', 'yes'],
    ['EEP_TRUST_PROXY', '10.0.0.0/33'],
    ['EEP_TRUST_PROXY', '10.0.0.0/8,nginx'],
    ['EEP_RATE_LIMIT_MULTIPLIER', '0'],
    ['EEP_RATE_LIMIT_MULTIPLIER', '-2'],
    ['EEP_PAYER_PROOF', 'none'],
    ['EEP_CRAWLER_HEADERS', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'prod'],
  ])('%s that is wrong (%s) is named with what is wrong and a hint', (name, text) => {
    const found = problemsOf({ [name]: text }).filter((line) => line.startsWith(`${name} `))
    expect(found[0]).toMatch(/ (is|has) .+ \(.+\)$/)
  })

  it.each([
    'EEP_SECRET',
    'EEP_SIGNING_KEY',
    'DATABASE_URL',
    'SMTP_URL',
    'X402_RPC_URL',
    'X402_RECOVERY_RPC_URL',
    'X402_FACILITATOR_KEY',
    'OAUTH_GITHUB_CLIENT_SECRET',
    'OAUTH_GOOGLE_CLIENT_SECRET',
    'OAUTH_OIDC_CLIENT_SECRET',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])('%s is never printed', (name) => {
    expect(problemsOf({ [name]: 'hunter2 hunter2' }).join()).not.toContain('hunter2')
  })

  it.each([
    ['X402_FACILITATOR_URL', 'ftp://user:hunter2@pay.example.com/v2?key=hunter2'],
    ['S3_ENDPOINT', 'ftp://user:hunter2@s3.example.com'],
    ['EMBEDDINGS_URL', 'ftp://models.example.com/v1?api_key=hunter2'],
    ['TRANSCRIBER_URL', 'ftp://hunter2@models.example.com#hunter2'],
    ['EEP_BASE_URL', 'https://profiles.example.com/?token=hunter2'],
  ])('%s is printed without the password and the query of a wrong URL', (name, text) => {
    const [problem] = problemsOf({ [name]: text }).filter((line) => line.startsWith(`${name} `))
    expect(problem).toMatch(/"(ftp|https):.+example\.com.*" /)
    expect(problem).not.toContain('hunter2')
  })

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', EEP_SECRET: ' ' }).values).toEqual({})
  })

  it.each([
    [{ PORT: '0' }, 0],
    [{ EEP_BASE_URL: 'https://profiles.example.com/' }, 'https://profiles.example.com'],
    [{ EEP_SECRET: `${'a'.repeat(32)}, ${'b'.repeat(32)}` }, ['a'.repeat(32), 'b'.repeat(32)]],
    [{ EEP_SIGNING_KEY: JSON.stringify(JWK) }, [JWK]],
    [{ EEP_SIGNING_KEY: JSON.stringify([{ ...JWK, kid: 'new' }, JWK]) }, [{ ...JWK, kid: 'new' }, JWK]],
    [{ EEP_ADMIN_EMAILS: 'ada@example.com, Grace@example.com' }, ['ada@example.com', 'Grace@example.com']],
    [{ SMTP_URL: 'smtps://user:p%40ss@mail.example.com' }, 'smtps://user:p%40ss@mail.example.com'],
    [{ MAIL_FROM: 'no-reply@example.com' }, 'no-reply@example.com'],
    [{ MAIL_FROM: 'Profiles of us <no-reply@example.com>' }, 'Profiles of us <no-reply@example.com>'],
    [{ EEP_TRUST_PROXY: '2' }, 2],
    [{ EEP_TRUST_PROXY: 'true' }, true],
    [{ EEP_TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1/128' }, ['loopback', '10.0.0.0/8', '::1/128']],
    [{ EEP_RATE_LIMIT_MULTIPLIER: '0.5' }, 0.5],
    [
      { X402_ASSET: `{"address":"${ADDRESS}","name":"USDC","version":"2","decimals":6}` },
      { address: ADDRESS, name: 'USDC', version: '2', decimals: 6 },
    ],
  ])('is read: %j', (environment, value) => {
    expect(firstValue(environment as Environment)).toEqual(value)
  })
})

describe('the proof of a payer', () => {
  it.each([
    [{}, 'lookup'],
    [{ EEP_SANDBOX: 'off' }, undefined],
    [{ NODE_ENV: 'production' }, 'signed'],
    [{ NODE_ENV: 'production', EEP_PAYER_PROOF: 'lookup' }, 'lookup'],
    [{ EEP_PAYER_PROOF: 'signed' }, 'signed'],
  ] as const)('is, of %j, %s', (environment, proof) => {
    const secrets = { EEP_SECRET: 'a'.repeat(32), EEP_SIGNING_KEY: JSON.stringify(JWK) }
    expect(readConfig({ ...secrets, ...environment }).payerProof).toBe(proof)
  })
})

describe('variables that do not go together', () => {
  it.each([
    [
      { X402_FACILITATOR_URL: 'https://x.example', X402_FACILITATOR_KEY: KEY },
      'X402_FACILITATOR_KEY and X402_FACILITATOR_URL are both set',
    ],
    [{ X402_FACILITATOR_KEY: KEY, X402_PAY_TO: ADDRESS }, 'X402_RPC_URL is missing'],
    [{ X402_PAY_TO: ADDRESS }, 'X402_PAY_TO is set without a facilitator'],
    [{ OAUTH_GITHUB_CLIENT_ID: 'id' }, 'OAUTH_GITHUB_CLIENT_SECRET is missing: OAUTH_GITHUB_CLIENT_ID is set'],
    [{ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY is missing: S3_ACCESS_KEY_ID is set'],
    [{ CLAMD_PORT: '3310' }, 'CLAMD_HOST is missing: CLAMD_PORT is set'],
    [{ CLAMD_HOST: 'clamd', CLAMD_SOCKET: '/run/clamd' }, 'CLAMD_SOCKET and CLAMD_HOST are both set'],
    [{ S3_REGION: 'eu-central-1' }, 'S3_BUCKET is missing: S3_REGION is set'],
    [{ TRANSCRIBER_MODEL: 'large' }, 'TRANSCRIBER_URL is missing: TRANSCRIBER_MODEL is set'],
    [{ TRANSCRIBER_URL: 'http://speech.example/v1', TRANSCRIBER_API_KEY: 'k' }, 'TRANSCRIBER_URL is not https'],
    [{ EMBEDDINGS_DIMENSIONS: '384' }, 'EMBEDDINGS_URL is missing: EMBEDDINGS_DIMENSIONS is set'],
    [{ EMBEDDINGS_URL: 'http://vectors.example/v1', EMBEDDINGS_API_KEY: 'k' }, 'EMBEDDINGS_URL is not https'],
    [{ EMBEDDINGS_URL: 'https://vectors.example/v1', EMBEDDINGS_DIMENSIONS: '5000' }, 'is not between 1 and 4096'],
    [{ EMBEDDINGS_MIN_SIMILARITY: '0.3' }, 'EMBEDDINGS_URL is missing: EMBEDDINGS_MIN_SIMILARITY is set'],
    [{ EMBEDDINGS_URL: 'https://vectors.example/v1', EMBEDDINGS_MIN_SIMILARITY: '3' }, 'is not a number from 0 to 1'],
    [{ OAUTH_GOOGLE_CLIENT_SECRET: 'secret' }, 'OAUTH_GOOGLE_CLIENT_ID is missing'],
    [{ OAUTH_OIDC_ISSUER: 'https://id.example', OAUTH_OIDC_CLIENT_ID: 'id' }, 'OAUTH_OIDC_CLIENT_SECRET is missing'],
    [{ STRIPE_PROFILE_ID: 'profile_1' }, 'STRIPE_SECRET_KEY is missing: STRIPE_PROFILE_ID is set but'],
    [{ PORT: '8080', EEP_GATEWAY_PORT: '8080' }, 'EEP_GATEWAY_PORT 8080 is also PORT'],
    [{ EEP_GATEWAY_PORT: '3000' }, 'EEP_GATEWAY_PORT 3000 is also PORT'],
    [{ NODE_ENV: 'production', EEP_SECRET: 'a'.repeat(32) }, 'EEP_SIGNING_KEY is missing'],
  ])('stop the start: %j', (environment, problem) => {
    expect(problemsOf(environment as Environment).join('\n')).toContain(problem)
  })

  it('reports conflicting variables together with invalid ones', () => {
    expect(problemsOf({ PORT: 'x', X402_PAY_TO: ADDRESS })).toHaveLength(2)
  })
})

const PRODUCTION = { NODE_ENV: 'production', EEP_SECRET: 'a'.repeat(32), EEP_SIGNING_KEY: JSON.stringify(JWK) }
/** A production host that is durable, reachable and paid. */
const WHOLE = {
  ...PRODUCTION,
  EEP_BASE_URL: 'https://profiles.example.com',
  DATABASE_URL: 'postgres://db/eep',
  SMTP_URL: 'smtp://mail.example.com',
  S3_BUCKET: 'files',
  X402_NETWORK: 'base',
  X402_PAY_TO: ADDRESS,
  X402_FACILITATOR_URL: 'https://x402.example',
}

describe('an unknown variable', () => {
  const misspelt = [
    [{ DATABSE_URL: 'x' }, 'unknown variable DATABSE_URL; did you mean DATABASE_URL?'],
    [{ DATABASE_ULR: 'x' }, 'unknown variable DATABASE_ULR; did you mean DATABASE_URL?'],
    [{ EPP_SECRET: 'x' }, 'unknown variable EPP_SECRET; did you mean EEP_SECRET?'],
    [{ EEP_BASEURL: 'x' }, 'unknown variable EEP_BASEURL; did you mean EEP_BASE_URL?'],
    [{ X402_PAYTO: 'x' }, 'unknown variable X402_PAYTO; did you mean X402_PAY_TO?'],
    [{ STRIPE_PUBLISHABLE_THING: 'x' }, 'unknown variable STRIPE_PUBLISHABLE_THING'],
    [{ OAUTH_GITHUB_ID: 'x' }, 'unknown variable OAUTH_GITHUB_ID'],
    [{ S3_BUKET: 'x' }, 'unknown variable S3_BUKET; did you mean S3_BUCKET?'],
    [{ SMTP_URI: 'x' }, 'unknown variable SMTP_URI; did you mean SMTP_URL?'],
  ] as const

  it.each(misspelt)('warns about an unknown variable in development: %j', (environment, sentence) => {
    expect(readConfig(environment as Environment).warnings).toEqual([sentence])
  })

  it.each(misspelt)('refuses an unknown variable in production: %j', (environment, sentence) => {
    const { EEP_SECRET: _, DATABASE_URL: __, ...rest } = WHOLE
    const secret = 'EPP_SECRET' in environment ? {} : { EEP_SECRET: WHOLE.EEP_SECRET }
    expect(problemsOf({ ...rest, ...secret, ...(environment as Environment) })).toContain(sentence)
  })

  it.each([
    { PATH: '/bin', HOME: '/root', STRIPE: 'x', DATABASE: 'y', APP_SECRET: 'x', APP_BASE_URL: 'x' },
    { DATABASE_URL: 'postgres://db/eep', DATABASE_URI: 'postgres://db/eep' },
    {
      EEP_SERVICE_HOST: '10.0.0.1',
      EEP_SERVICE_PORT_HTTP: '80',
      EEP_PORT: 'tcp://10.0.0.1:80',
      EEP_PORT_80_TCP_ADDR: 'x',
    },
  ])('is not one that something else set: %j', (environment) => {
    // Variables that the type does not have.
    expect(readConfig(environment as unknown as Environment).warnings).toEqual([])
  })
})

describe('a warning', () => {
  it('warns when the payments of checkout pages are not reported', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PROFILE_ID: 'profile_1' }
    expect(readConfig(stripe).warnings).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET is not set')])
    expect(readConfig({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }).warnings).toEqual([
      expect.stringContaining('STRIPE_PROFILE_ID is not set'),
    ])
  })

  it('warns about a trusted proxy that any client can imitate', () => {
    expect(readConfig({ EEP_TRUST_PROXY: 'true' }).warnings).toEqual([expect.stringContaining('EEP_TRUST_PROXY')])
  })
})

describe('.env.example', () => {
  it('names every variable and no other', () => {
    const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
    const named = [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(Object.keys(variablesOf(host)).toSorted())
  })

  it('is what the tables of the adapters make', () => {
    expect(readFileSync(new URL('../.env.example', import.meta.url), 'utf8')).toBe(envExample(host))
  })

  it('sets nothing that prevents a start', () => {
    const set = [...envExample(host).matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value])
    expect(readConfig(Object.fromEntries(set)).warnings).toEqual([])
  })
})

describe('the tables of several adapters', () => {
  const lamp = (name: string) =>
    defineHostAdapter({ name, prefixes: ['LAMP_'], variables: { LAMP_COLOR: openVariable(word, 'a color', 'green') } })

  it('refuse a name that two of them have, and name both', () => {
    expect(() => readHostConfig({ adapters: [lamp('red-lamps'), lamp('blue-lamps')] }, {})).toThrow(
      'LAMP_COLOR is a variable of red-lamps and of blue-lamps',
    )
    expect(() =>
      readHostConfig({ adapters: [{ ...lamp('ports'), variables: { PORT: openVariable(word, '') } }] }, {}),
    ).toThrow('PORT is a variable of @eep/core and of ports')
  })

  it('refuse two stores of files, and name the packages that make them', async () => {
    const { blobStore } = await makeParts(host, readConfig({}), ['a secret'])
    const shelf = (name: string) =>
      defineHostAdapter({ name, prefixes: [], variables: {}, parts: () => ({ blobStore }) })
    const shelves = { adapters: [shelf('red-shelves'), shelf('blue-shelves')] }
    await expect(makeParts(shelves, readHostConfig(shelves, {}), ['a secret'])).rejects.toThrow(
      'red-shelves and blue-shelves both make the part blobStore',
    )
  })

  it('decide which names are misspelled', () => {
    const misspelled = { LAMP_COLOUR: 'green' }
    expect(readHostConfig({ adapters: [lamp('lamps')] }, misspelled).warnings).toEqual([
      'unknown variable LAMP_COLOUR; did you mean LAMP_COLOR?',
    ])
    expect(readHostConfig({ adapters: [] }, misspelled).warnings).toEqual([])
  })
})

describe('the apps that people connect', () => {
  const partsOf = (env: Record<string, string>) => makeParts(host, readConfig(env), ['a secret'])
  const fileWith = async (text: string) => {
    const path = join(await mkdtemp(join(tmpdir(), 'eep-apps-')), 'apps.json')
    await writeFile(path, text)
    return path
  }

  it('are all kinds of apps, and assistants too, unless variables say otherwise', async () => {
    const { mcp, oauthServer } = await partsOf({})
    expect([mcp, oauthServer]).toEqual([undefined, undefined])
    const off = await partsOf({ EEP_MCP: 'off', EEP_OAUTH_REGISTRATION: 'off' })
    expect([off.mcp, off.oauthServer]).toEqual([false, { registration: false }])
  })

  it('are also those of a file', async () => {
    const clients = [{ id: 'desk', name: 'Desk', redirectUris: ['https://desk.example/back'] }]
    const { oauthServer } = await partsOf({ EEP_OAUTH_CLIENTS: await fileWith(JSON.stringify(clients)) })
    expect(oauthServer).toEqual({ clients })
  })

  it.each([
    ['{"id":"desk"}', 'is not a list of apps'],
    ['apps', 'is not JSON'],
    [undefined, 'cannot be read'],
  ])('stop the start when the file has %s, with its name', async (text, problem) => {
    const path = text === undefined ? '/none/apps.json' : await fileWith(text)
    await expect(partsOf({ EEP_OAUTH_CLIENTS: path })).rejects.toThrow(
      `EEP_OAUTH_CLIENTS names ${path}, which ${problem}`,
    )
  })
})

describe('hosts that callbacks may reach', () => {
  it('are read as a list, in development only', () => {
    const hosts = 'localhost:4000, 127.0.0.1'
    expect(readConfig({ EEP_DEV_CALLBACK_HOSTS: hosts }).values.EEP_DEV_CALLBACK_HOSTS).toEqual([
      'localhost:4000',
      '127.0.0.1',
    ])
    expect(problemsOf({ EEP_DEV_CALLBACK_HOSTS: 'http://localhost' })).toEqual([
      expect.stringContaining('EEP_DEV_CALLBACK_HOSTS "http://localhost" is not a list of hosts'),
    ])
    expect(problemsOf({ ...WHOLE, EEP_DEV_CALLBACK_HOSTS: hosts })).toEqual([
      'EEP_DEV_CALLBACK_HOSTS is for development only; remove it',
    ])
  })
})

describe('production', () => {
  it('starts in production without a warning when it is durable, reachable and paid', () => {
    expect(readConfig(WHOLE).warnings).toEqual([])
  })

  it.each([
    ['DATABASE_URL', 'the embedded database is used'],
    ['SMTP_URL', 'no email is delivered'],
    ['S3_BUCKET', 'uploads are stored in the directory files'],
    ['EEP_BASE_URL', 'links and identifiers name the address of the listener'],
  ] as const)('warns when %s is missing', (name, sentence) => {
    const { [name]: _, ...rest } = WHOLE
    expect(readConfig(rest).warnings).toEqual([expect.stringContaining(sentence)])
  })

  it('warns in production about a test network', () => {
    expect(readConfig({ ...WHOLE, X402_NETWORK: 'base-sepolia' }).warnings).toEqual([
      expect.stringContaining('a test network: payments are worth nothing'),
    ])
  })

  it('warns in production when no payment is possible', () => {
    const { X402_FACILITATOR_URL: _, X402_PAY_TO: __, ...rest } = WHOLE
    expect(readConfig(rest).warnings).toEqual([expect.stringContaining('No payment rail is configured')])
  })

  it('warns in production about a test key of Stripe', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PROFILE_ID: 'profile_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    const { X402_FACILITATOR_URL: _, X402_PAY_TO: __, ...rest } = WHOLE
    expect(readConfig({ ...rest, ...stripe }).warnings).toEqual([
      expect.stringContaining('STRIPE_SECRET_KEY is a test key'),
    ])
  })

  it('gives no production warnings in development', () => {
    expect(readConfig({}).warnings).toEqual([])
  })
})
