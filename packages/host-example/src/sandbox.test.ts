import { ConfigurationError, defineHostAdapter, openVariable, readConfig, word } from '@eep/core/host'
import { describe, expect, it } from 'vitest'
import { host } from './host.ts'

type Environment = Readonly<Record<string, string>>

const read = (environment: Environment) => readConfig(host, environment)
const problemOf = (environment: Environment): string => {
  try {
    read(environment)
    return ''
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message
  }
}
const KEYS = {
  EEP_SECRET: 'a'.repeat(32),
  EEP_SIGNING_KEY: JSON.stringify({
    kty: 'OKP',
    crv: 'Ed25519',
    // The key of RFC 8037, appendix A.
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  }),
}

describe('a host without EEP_SANDBOX', () => {
  it.each([
    {},
    { NODE_ENV: 'development' },
    { NODE_ENV: 'test' },
    { HOST: 'localhost' },
    { HOST: '127.0.0.1' },
    { HOST: '::1' },
    { PORT: '8080' },
    { EEP_BASE_URL: 'http://localhost:3000' },
    { EEP_BASE_URL: 'http://127.0.0.1:3000' },
    { EEP_BASE_URL: 'http://[::1]:3000' },
    { EEP_BASE_URL: 'https://localhost', HOST: '0.0.0.0' },
    { DATABASE_URL: 'postgres://db/eep' },
    { SMTP_URL: 'smtp://mail.example.com' },
    { X402_NETWORK: '' },
  ])('is a sandbox when only this machine reaches it and it takes no other money: %j', (environment) => {
    expect(read(environment as unknown as Environment)).toMatchObject({
      isSandbox: true,
      moneyKind: 'sandbox',
      dataDir: '.data/sandbox',
    })
  })

  it.each([
    { NODE_ENV: 'production', ...KEYS },
    { X402_RPC_URL: 'http://localhost:8545' },
    { X402_NETWORK: 'base' },
    { X402_SOMETHING: 'unknown' },
    { STRIPE_SECRET_KEY: 'sk_test_1' },
    { STRIPE_API_BASE: 'http://localhost:12111' },
    { HOST: '0.0.0.0' },
    { HOST: '192.168.1.2' },
    { EEP_BASE_URL: 'https://profiles.example.com' },
    { EEP_BASE_URL: 'http://localhost.example.com' },
    { EEP_BASE_URL: 'http://127.0.0.1.example.com' },
  ])('is none otherwise: %j', (environment) => {
    expect(read(environment as unknown as Environment).isSandbox).toBe(false)
  })
})

describe('EEP_SANDBOX', () => {
  it('turns the sandbox on for a host that others reach', () => {
    const environment = { EEP_SANDBOX: 'on', HOST: '0.0.0.0', EEP_BASE_URL: 'https://try.example.com' }
    expect(read(environment)).toMatchObject({ isSandbox: true, dataDir: '.data/sandbox' })
  })

  it('turns it off', () => {
    expect(read({ EEP_SANDBOX: 'off' })).toMatchObject({ isSandbox: false, moneyKind: undefined, dataDir: '.data' })
  })

  it('refuses to be on in production', () => {
    expect(problemOf({ EEP_SANDBOX: 'on', NODE_ENV: 'production', ...KEYS })).toMatch(
      /^EEP_SANDBOX is on, and NODE_ENV=production is set: /,
    )
  })

  it.each([
    [{ X402_RPC_URL: 'http://localhost:8545' }, 'X402_RPC_URL is set'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_SECRET_KEY is set'],
    [{ X402_NETWORK: 'base', STRIPE_API_BASE: 'http://localhost:1' }, 'X402_NETWORK, STRIPE_API_BASE are set'],
  ])('refuses to be on beside variables of other money, and names them: %j', (environment, named) => {
    expect(problemOf({ EEP_SANDBOX: 'on', ...environment })).toContain(`EEP_SANDBOX is on, and ${named}`)
  })

  it('names production and the variables together', () => {
    const environment = { EEP_SANDBOX: 'on', NODE_ENV: 'production', STRIPE_SECRET_KEY: 'sk_live_1', ...KEYS }
    expect(problemOf(environment)).toContain('NODE_ENV=production, STRIPE_SECRET_KEY are set')
  })

  it('counts the variables of an own adapter that takes money', () => {
    const coins = defineHostAdapter({
      name: 'coins',
      prefixes: ['COINS_'],
      variables: { COINS_KEY: openVariable(word, 'a key') },
      sells: { variables: 'COINS_KEY', isConfigured: () => true },
    })
    expect(readConfig({ adapters: [coins] }, { COINS_KEY: 'k' }).isSandbox).toBe(false)
    expect(readConfig({ adapters: [coins] }, {}).isSandbox).toBe(true)
  })

  it('is on or off', () => {
    expect(problemOf({ EEP_SANDBOX: 'yes' })).toMatch(/^EEP_SANDBOX "yes" is none of on, off/)
  })
})
