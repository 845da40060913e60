import { describe, expect, it } from 'vitest'
import { configuredWallets } from './payments.ts'
import { configuredProviders } from './sign-in.ts'

const oidc = { OAUTH_OIDC_CLIENT_ID: 'id', OAUTH_OIDC_CLIENT_SECRET: 'secret' }

describe('configuredProviders', () => {
  it('has none without configuration, and those that are configured', () => {
    expect(configuredProviders({})).toEqual([])
    const all = configuredProviders({
      OAUTH_GITHUB_CLIENT_ID: 'id',
      OAUTH_GITHUB_CLIENT_SECRET: 'secret',
      OAUTH_GOOGLE_CLIENT_ID: 'id',
      OAUTH_GOOGLE_CLIENT_SECRET: 'secret',
      OAUTH_OIDC_ISSUER: 'https://id.example',
      ...oidc,
    })
    expect(all.map(({ name }) => name)).toEqual(['github', 'google', 'oidc'])
  })

  it('sends no secrets to an issuer without TLS', () => {
    expect(() => configuredProviders({ OAUTH_OIDC_ISSUER: 'http://id.example', ...oidc })).toThrow(
      'OAUTH_OIDC_ISSUER http://id.example is not an https:// address',
    )
  })
})

describe('configuredWallets', () => {
  it('is off without a word about payments, and on for the chain of the network', async () => {
    expect(await configuredWallets({})).toBeUndefined()
    expect((await configuredWallets({ X402_RPC_URL: 'http://localhost:8545' }))?.chainIds).toEqual([84532])
    expect((await configuredWallets({ X402_NETWORK: 'base' }))?.chainIds).toEqual([8453])
    expect((await configuredWallets({ X402_NETWORK: 'eip155:1' }))?.chainIds).toEqual([1])
  })
})
