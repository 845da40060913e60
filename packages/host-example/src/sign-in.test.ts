import { makeParts, readConfig } from '@eep/core/host'
import { describe, expect, it } from 'vitest'
import { host } from './host.ts'

const partsOf = (environment: Record<string, string>) =>
  makeParts(host, readConfig(host, environment), ['a secret of the service'])

const oidc = { OAUTH_OIDC_CLIENT_ID: 'id', OAUTH_OIDC_CLIENT_SECRET: 'secret' }

describe('providers of sign-in', () => {
  it('are none without configuration, and those that are configured', async () => {
    expect((await partsOf({})).oauthProviders).toBeUndefined()
    const { oauthProviders: all } = await partsOf({
      OAUTH_GITHUB_CLIENT_ID: 'id',
      OAUTH_GITHUB_CLIENT_SECRET: 'secret',
      OAUTH_GOOGLE_CLIENT_ID: 'id',
      OAUTH_GOOGLE_CLIENT_SECRET: 'secret',
      OAUTH_OIDC_ISSUER: 'https://id.example',
      ...oidc,
    })
    expect(all?.map(({ name }) => name)).toEqual(['github', 'google', 'oidc'])
  })

  it('sends no secrets to an issuer without TLS', async () => {
    await expect(partsOf({ OAUTH_OIDC_ISSUER: 'http://id.example', ...oidc })).rejects.toThrow(
      'OAUTH_OIDC_ISSUER http://id.example is not an https:// address',
    )
  })
})

describe('the verifier of wallets', () => {
  it('is off without a word about payments, and on for the chain of the network', async () => {
    expect((await partsOf({})).walletVerifier).toBeUndefined()
    expect((await partsOf({ X402_RPC_URL: 'http://localhost:8545' })).walletVerifier?.chainIds).toEqual([84532])
    expect((await partsOf({ X402_NETWORK: 'base' })).walletVerifier?.chainIds).toEqual([8453])
    expect((await partsOf({ X402_NETWORK: 'eip155:1' })).walletVerifier?.chainIds).toEqual([1])
  })
})
