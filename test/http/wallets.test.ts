import { createHash } from 'node:crypto'
import type { WalletVerifier } from '@eep/core/ports'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { evmWallets } from '@eep/payments-x402'
import { contractSignature, startLocalChain } from '@eep/payments-x402/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import {
  askNonce,
  keyOf,
  linkWallet,
  nonceFor,
  SITE,
  signedMessage,
  siweMessage,
  verifyWallet,
} from '../support/wallets.ts'

const chain = await startLocalChain()
afterAll(chain.stop)
const { database, instance } = await openInstances()
const app = await instance({
  auth: { walletVerifier: evmWallets({ chains: [{ chainId: chain.chainId, rpcUrl: chain.rpcUrl }] }) },
})

const list = async (headers: Record<string, string>) =>
  (await client(app).get('/auth/siwe/wallets', headers)).json<{ wallets: { account_wallet_id: string }[] }>().wallets

const unlink = (id: string, headers: Record<string, string>, query = '') =>
  client(app).delete(`/auth/siwe/wallets/${id}${query}`, headers)

describe('POST /auth/siwe/nonce', () => {
  it('returns the message that the wallet should sign', async () => {
    const { headers } = await signUp(app)
    const response = await askNonce(app, { ...headers, host: 'evil.example' })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      domain: 'profiles.example',
      uri: SITE,
      expires_at: expect.any(String),
    })
    const minutes = (Date.parse(response.json().expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9)
    expect(minutes).toBeLessThanOrEqual(10)
  })

  it('issues a new nonce for each request, and stores only its hash', async () => {
    const { headers, account } = await signUp(app)
    const nonces = await Promise.all(Array.from({ length: 20 }, () => nonceFor(app, headers)))
    expect(new Set(nonces).size).toBe(20)
    const kept = await database.storage.read.tokens.getNewest('siwe_nonce', account.id)
    expect(nonces.map((nonce) => createHash('sha256').update(nonce).digest('hex'))).toContain(kept?.hash)
    for (const nonce of nonces) expect(JSON.stringify(kept)).not.toContain(nonce)
  })

  it('uses the domain of the frontend in messages for its pages', async () => {
    const elsewhere = await instance({
      auth: { walletVerifier: evmWallets({ chains: [{ chainId: 1 }] }) },
      frontendUrl: 'http://localhost:5173',
    })
    const { headers } = await signUp(elsewhere)
    expect((await askNonce(elsewhere, headers)).json()).toMatchObject({
      domain: 'localhost:5173',
      uri: 'http://localhost:5173',
    })
  })
})

describe('POST /auth/siwe/verify', () => {
  it('links the wallet that signed', async () => {
    const { headers } = await signUp(app)
    const wallet = keyOf(2)
    const response = await verifyWallet(app, await signedMessage(wallet, await nonceFor(app, headers)), headers)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      account_wallet_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address: wallet.address,
      chain_id: 84532,
      caip2_network: 'eip155:84532',
      verified_at: expect.any(String),
    })
    expect(await list(headers)).toEqual([response.json()])
  })

  it('accepts the nonces of two tabs in either order', async () => {
    const { headers } = await signUp(app)
    const nonces = [await nonceFor(app, headers), await nonceFor(app, headers)]
    for (const [index, nonce] of nonces.reverse().entries()) {
      const message = await signedMessage(keyOf(40 + index), nonce)
      expect((await verifyWallet(app, message, headers)).statusCode).toBe(200)
    }
  })

  it('links a contract wallet after asking its chain', async () => {
    const { headers } = await signUp(app)
    const wallet = await chain.newContractWallet(keyOf(3))
    const { message, signature } = await signedMessage(wallet, await nonceFor(app, headers))
    const refused = await verifyWallet(app, { message, signature }, headers)
    expect(codeOf(refused)).toBe('invalid_wallet_signature')
    const response = await verifyWallet(app, { message, signature: contractSignature(signature) }, headers)
    expect(response.statusCode).toBe(200)
    expect(response.json().address).toBe(wallet.address)
  })

  it('stores one wallet for an address and a chain, in any spelling of the address', async () => {
    const { headers } = await signUp(app)
    const wallet = keyOf(4)
    const id = await linkWallet(app, wallet, headers)
    expect(await linkWallet(app, wallet, headers, { address: wallet.address.toLowerCase() })).toBe(id)
    expect(await list(headers)).toMatchObject([{ account_wallet_id: id, address: wallet.address }])
  })

  const wrong: [string, string, Record<string, string>][] = [
    ['siwe_domain_mismatch', 'another domain', { domain: 'evil.example' }],
    ['siwe_uri_mismatch', 'another URI', { uri: 'https://evil.example' }],
    ['siwe_chain_unsupported', 'another chain', { chainId: '1' }],
    ['siwe_version_unsupported', 'another version', { version: '2' }],
    ['siwe_expired', 'an end that is over', { expirationTime: '2020-01-01T00:00:00Z' }],
    ['siwe_issued_in_future', 'a date ahead', { issuedAt: new Date(Date.now() + 120_000).toISOString() }],
    ['invalid_siwe_message', 'a date in words', { issuedAt: 'today' }],
  ]
  it.each(wrong)('returns 400 %s for a message for %s, whatever the Host header is', async (code, _what, changes) => {
    const { headers } = await signUp(app)
    const body = await signedMessage(keyOf(5), await nonceFor(app, headers), changes)
    for (const host of ['profiles.example', 'evil.example']) {
      const response = await verifyWallet(app, body, { ...headers, host })
      expect(response.statusCode).toBe(400)
      expect(codeOf(response)).toBe(code)
    }
    expect(await list(headers)).toEqual([])
  })

  it('returns 401 for the signature of another key without using up the nonce', async () => {
    const { headers } = await signUp(app)
    const nonce = await nonceFor(app, headers)
    const good = await signedMessage(keyOf(6), nonce)
    const { signature } = await signedMessage(keyOf(7), nonce)
    const response = await verifyWallet(app, { ...good, signature }, headers)
    expect(response.statusCode).toBe(401)
    expect(codeOf(response)).toBe('invalid_wallet_signature')
    expect((await verifyWallet(app, good, headers)).statusCode).toBe(200)
  })

  it('returns 409 for a nonce that was used, never issued, or issued to another account', async () => {
    const [{ headers }, victim] = [await signUp(app), await signUp(app)]
    const used = await signedMessage(keyOf(8), await nonceFor(app, headers))
    expect((await verifyWallet(app, used, headers)).statusCode).toBe(200)
    const invented = await signedMessage(keyOf(8), 'f'.repeat(32))
    const phished = await signedMessage(keyOf(8), await nonceFor(app, victim.headers))
    for (const body of [used, invented, phished]) {
      const response = await verifyWallet(app, body, headers)
      expect(response.statusCode).toBe(409)
      expect(codeOf(response)).toBe('siwe_nonce_refused')
    }
    // The account with the nonce can still use it.
    expect((await verifyWallet(app, phished, victim.headers)).statusCode).toBe(200)
  })

  it('links a wallet once for twenty concurrent requests with one message', async () => {
    const { headers } = await signUp(app)
    const body = await signedMessage(keyOf(10), await nonceFor(app, headers))
    const responses = await Promise.all(Array.from({ length: 20 }, () => verifyWallet(app, body, headers)))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await list(headers)).toHaveLength(1)
  })

  it('returns 503 without using up the nonce while the chain of a contract wallet does not respond', async () => {
    let away = true
    const wallets: WalletVerifier = {
      chainIds: [84532],
      async verify() {
        if (away) throw new Error('connect ECONNREFUSED 10.0.0.7:8545')
        return true
      },
    }
    const offline = await instance({ auth: { walletVerifier: wallets } })
    const { headers } = await signUp(offline)
    const body = await signedMessage(keyOf(11), await nonceFor(offline, headers))
    const response = await verifyWallet(offline, body, headers)
    expect(response.statusCode).toBe(503)
    expect(codeOf(response)).toBe('wallet_chain_unavailable')
    expect(response.body).not.toContain('10.0.0.7')
    away = false
    expect((await verifyWallet(offline, body, headers)).statusCode).toBe(200)
  })

  it('names the field that is not a valid message or signature', async () => {
    const { headers } = await signUp(app)
    const good = await signedMessage(keyOf(12), await nonceFor(app, headers))
    for (const [path, part] of [
      ['/message', { message: `${siweMessage(keyOf(12), 'a'.repeat(32))}${'x'.repeat(4_096)}` }],
      ['/message', { message: 'a\u0000b' }],
      ['/signature', { signature: '0x123' }],
      ['/signature', { signature: 'signed' }],
      ['/signature', { signature: `0x${'00'.repeat(5_000)}` }],
    ] as const) {
      const response = await verifyWallet(app, { ...good, ...part }, headers)
      expect(response.statusCode).toBe(400)
      expect(response.json().error.details.issues[0].path).toBe(path)
    }
  })
})

describe('DELETE /auth/siwe/wallets/{id}', () => {
  it('unlinks a wallet once', async () => {
    const { headers } = await signUp(app)
    const id = await linkWallet(app, keyOf(20), headers)
    expect((await unlink(id, headers)).statusCode).toBe(200)
    expect(await list(headers)).toEqual([])
    const again = await unlink(id, headers)
    expect(again.statusCode).toBe(404)
    expect(codeOf(again)).toBe('wallet_not_found')
  })

  it('returns 404 for wallets of other accounts and malformed ids', async () => {
    const [{ headers }, other] = [await signUp(app), await signUp(app)]
    const id = await linkWallet(app, keyOf(21), other.headers)
    for (const each of [id, '00000000-0000-4000-8000-000000000000', 'nothing']) {
      expect((await unlink(each, headers, '?force=true')).statusCode).toBe(404)
    }
    expect(await list(other.headers)).toHaveLength(1)
  })

  it('accepts force as 0, 1, true or false', async () => {
    const { headers } = await signUp(app)
    const id = await linkWallet(app, keyOf(22), headers)
    expect((await unlink(id, headers, '?force=yes')).statusCode).toBe(400)
    for (const [index, word] of ['0', '1', 'false', 'true'].entries()) {
      const each = await linkWallet(app, keyOf(30 + index), headers)
      expect((await unlink(each, headers, `?force=${word}`)).statusCode).toBe(200)
    }
  })

  it('emits events for linked and unlinked wallets, without addresses', async () => {
    const { headers, account } = await signUp(app)
    const start = await endOfLog(database.storage)
    const id = await linkWallet(app, keyOf(23), headers)
    await unlink(id, headers)
    const told = await eventsAfter(database.storage, start)
    expect(told).toMatchObject([
      { type: 'wallets.wallet_linked', accountId: account.id, profileId: null },
      { type: 'wallets.wallet_unlinked', accountId: account.id, profileId: null },
    ])
    expect(JSON.stringify(told)).not.toContain(keyOf(23).address)
  })
})
