import { isIP } from 'node:net'
import { z } from 'zod'
import { readLogo } from '../../http/html/brand.ts'
import { emailAddress } from '../../kernel/email-address.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import type { Rule } from '../rule.ts'
import { secretSchema, signingKeySchema } from '../secrets.ts'
import {
  listOf,
  matching,
  oneOf,
  openVariable,
  port,
  secretVariable,
  type ValuesOf,
  webUrl,
  wholeNumber,
  withoutSlash,
} from '../variable.ts'

/** The package of the variables that every host has. */
export const CORE = '@eep/core'

/** The address of a site, which is published. */
const siteUrl = webUrl
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
    error: 'has a user name or a password',
  })
  .refine((text) => !URL.canParse(text) || !new URL(text).hostname.endsWith('.'), {
    error: 'has a host that ends in a dot',
  })

const isPath = (text: string): boolean => /^\/(?![/\\])[^\s"<>\\]*$/.test(text)

const siteUrlOrPath = z
  .string()
  .refine(
    (text) => isPath(text) || siteUrl.safeParse(text).success,
    'is neither a URL that starts with http:// or https:// nor a path such as /imprint',
  )

function isLogo(file: string): boolean {
  try {
    return readLogo(file) !== undefined
  } catch {
    return false
  }
}

const webOrigin = siteUrl.refine(
  (text) => URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`,
  'is not an origin: it has a path or a query',
)

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
  listOf(z.string().refine(isProxy, NO_PROXY)),
])

/** The variables of the listeners and the service, which every host has. */
export const SERVICE_VARIABLES = {
  NODE_ENV: openVariable(
    oneOf('development', 'test', 'production'),
    'leave it out, or write production',
    'production',
    { comment: 'In production, secrets are required and no demo profile is created.' },
  ),
  EEP_SANDBOX: openVariable(
    oneOf('on', 'off'),
    'on or off; default: on for a host of this machine that takes no other money',
    'off',
    {
      comment: `The sandbox: everything can be bought by test cards and a test wallet, and no money moves. Without a value it is on when all of this holds:
NODE_ENV is not production, no X402_* and no STRIPE_* variable is set, and EEP_BASE_URL or HOST is localhost, 127.0.0.1 or [::1].`,
    },
  ),
  PORT: openVariable(port, 'for example 3000, or 0 for any free one', '3000', {
    comment: 'Listeners. EEP_GATEWAY_PORT adds a second listener with the prefix /api.',
    isPreset: true,
  }),
  HOST: openVariable(
    matching(/^[\w.:%-]+$/, 'is not a host'),
    'localhost for this machine only, 0.0.0.0 for every network',
    'localhost',
  ),
  EEP_GATEWAY_PORT: openVariable(port, 'a second port, whose paths begin with /api; leave it out for none', '8080'),
  EEP_BASE_URL: openVariable(
    withoutSlash(siteUrl),
    'the public URL of this host, for example https://profiles.example.com',
    'http://localhost:3000',
    {
      comment:
        'The public URL of this host. It is part of links, receipts and identifiers (did:web), so do not change it later.',
      isPreset: true,
    },
  ),
  EEP_NAME: openVariable(
    z.string().max(128, 'has more than 128 characters'),
    'the name of the service on pages, in emails, receipts and manifests; default: Profiles',
    'Profiles',
    { comment: 'The name and the look of the service on pages, in emails and receipts, and what each page links to.' },
  ),
  EEP_DESCRIPTION: openVariable(
    z.string().max(512, 'has more than 512 characters'),
    'what the service offers, below its name on the start page and in manifests',
    'Essays and events of the harbour district',
  ),
  EEP_LOGO: openVariable(
    z.string().refine(isLogo, 'is not a PNG or SVG image of at most 256 KiB'),
    'the path of a PNG or SVG file, which the service shows beside its name',
    './logo.svg',
  ),
  EEP_ACCENT: openVariable(
    matching(/^#[0-9a-f]{6}$/i, 'is not a color'),
    'the color of links and buttons, for example #1f5f4f',
    '#1f5f4f',
  ),
  EEP_IMPRINT_URL: openVariable(
    siteUrlOrPath,
    'the address of the imprint, linked from every page: a URL or a path',
    'https://example.com/imprint',
  ),
  EEP_PRIVACY_URL: openVariable(
    siteUrlOrPath,
    'the address of the privacy policy, linked from every page: a URL or a path',
    'https://example.com/privacy',
  ),
  EEP_FRONTEND_URL: openVariable(
    withoutSlash(siteUrl),
    'the site to which sign-in providers return people, when it is not EEP_BASE_URL: https://app.example.com',
    'https://app.example.com',
    {
      comment:
        'A frontend elsewhere: where sign-in providers return people, and the origins whose pages may use cookies.',
    },
  ),
  EEP_TRUSTED_ORIGINS: openVariable(
    listOf(webOrigin),
    'other origins whose pages may use the cookies of this host, separated by commas: https://app.example.com',
    'https://app.example.com',
  ),
  EEP_DATA_DIR: openVariable(
    z.string(),
    'a directory that this process may write to; the default is .data/sandbox in the sandbox and .data/test with test money',
    '.data',
    {
      comment:
        'The directory of secrets, of files without a bucket, of emails without a server, and of an embedded database.',
    },
  ),
  EEP_SECRET: secretVariable(secretSchema, 'make one with: openssl rand -base64 48', '', {
    comment: `Required in production; otherwise generated and stored in the data directory. To rotate, put the new one first: secrets are
separated by commas, keys are a JSON array. The first signs, all verify.
  openssl rand -base64 48`,
    isPreset: true,
  }),
  EEP_SIGNING_KEY: secretVariable(
    signingKeySchema,
    'one JWK with kty OKP and crv Ed25519, or a JSON array of them',
    '',
    {
      comment: `  node -p "JSON.stringify(crypto.generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))"`,
      isPreset: true,
    },
  ),
  EEP_ADMIN_EMAILS: openVariable(
    listOf(
      z.string().refine((part) => emailAddress.safeParse(part).success, 'has a part that is not an email address'),
    ),
    'email addresses, separated by commas; an account that has verified one of them is an administrator',
    'ada@example.com',
    { comment: 'Accounts that have verified one of these addresses are administrators.' },
  ),
  EEP_TRUST_PROXY: openVariable(proxies, 'for example 1 behind one proxy, or 10.0.0.0/8,loopback', '1', {
    comment: 'The number of proxies in front of this host, or their addresses. Only their X-Forwarded-For is used.',
  }),
  EEP_RATE_LIMIT_MULTIPLIER: openVariable(
    matching(/^\d{1,7}(\.\d+)?$/, 'is not a positive number')
      .transform(Number)
      .refine((number) => number > 0 && number <= 1_000_000, 'is not between 0 and 1000000'),
    '1 for the limits as they are, 10 for ten times as many requests',
    '1',
  ),
  EEP_DRAIN_SECONDS: openVariable(
    wholeNumber('seconds', 0, 300),
    'how long a stopping host is not ready but still takes connections: twice the interval of health checks; 3 in production, else 0',
    '3',
    {
      comment:
        'For how many seconds a stopping host is not ready but still takes connections. Default: 3 in production, else 0.',
    },
  ),
  EEP_DEV_CALLBACK_HOSTS: openVariable(
    listOf(matching(/^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i, 'is not a list of hosts')),
    'hosts that webhooks may reach even if they are private or use plain http: localhost:4000,127.0.0.1:4000',
    'localhost:4000,127.0.0.1:4000',
    { comment: 'For development only: hosts that webhooks may reach even if they are private or use plain http.' },
  ),
  EEP_PAYER_PROOF: openVariable(
    oneOf('lookup', 'signed'),
    'signed requires the cookie of this service, and is the default in production; the default elsewhere is lookup',
    'lookup',
    {
      comment:
        'lookup: the address of a payer opens its purchases. signed: the cookie of the payment is needed too. Default in production: signed.',
    },
  ),
  EEP_CRAWLER_HEADERS: openVariable(
    oneOf('on', 'off').transform((word) => word === 'on'),
    'off leaves out crawler-price and ignores crawler-max-price and crawler-exact-price; on is the default',
    'off',
    { comment: 'Leave the headers of "pay per crawl" out:' },
  ),
  LOG_LEVEL: openVariable(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info is the default',
    'info',
  ),
}

/** The values of {@link SERVICE_VARIABLES}. */
export type ServiceValues = ValuesOf<typeof SERVICE_VARIABLES>

const generated = (name: 'EEP_SECRET' | 'EEP_SIGNING_KEY'): Rule<typeof SERVICE_VARIABLES> => ({
  when: ({ production, has }) => production && !has(name),
  problem: ({ missing }) => missing(name, 'production does not generate one'),
})

/** The listeners and the service. */
export const serviceVariables = defineHostAdapter({
  name: CORE,
  prefixes: ['EEP_'],
  variables: SERVICE_VARIABLES,
  rules: [
    generated('EEP_SECRET'),
    generated('EEP_SIGNING_KEY'),
    {
      when: ({ values: { PORT = 3000, EEP_GATEWAY_PORT: gateway } }) =>
        gateway !== undefined && gateway !== 0 && gateway === PORT,
      problem: ({ values }) => `EEP_GATEWAY_PORT ${values.EEP_GATEWAY_PORT} is also PORT; choose another one`,
    },
    {
      when: ({ production, has }) => production && has('EEP_DEV_CALLBACK_HOSTS'),
      problem: () => 'EEP_DEV_CALLBACK_HOSTS is for development only; remove it',
    },
  ],
  warnings: [
    {
      when: ({ values }) => values.EEP_TRUST_PROXY === true,
      problem: () => 'EEP_TRUST_PROXY "true" trusts addresses that clients send; set the number of proxies instead',
    },
    {
      when: ({ production, has }) => production && !has('EEP_BASE_URL'),
      problem: () => 'EEP_BASE_URL is not set, so links and identifiers name the address of the listener',
    },
  ],
})
