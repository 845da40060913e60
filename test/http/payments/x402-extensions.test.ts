import { evmWallets, localFacilitator, x402Rail } from '@eep/payments-x402'
import {
  contractSignature,
  encodeHeader,
  type LocalChain,
  signPayment,
  startLocalChain,
  type Wallet,
} from '@eep/payments-x402/testing'
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { appendPaymentIdentifierToExtensions, validatePaymentIdentifier } from '@x402/extensions/payment-identifier'
import {
  createSIWxClientExtension,
  createSIWxPayload,
  encodeSIWxHeader,
  type SIWxPayload,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment } from '@x402/fetch'
import { importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PUBLIC_URL, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createClock } from '../../support/clock.ts'
import { mergeOptions } from '../../support/options.ts'
import { cookieOf, decodeHeader, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

const network = 'eip155:84532'
let names = 0

/** A service that sells for the token of the chain and knows wallets of it. */
async function open(options: TestAppOptions = {}, addRoutes?: (app: TestApp) => void) {
  const { rpcUrl, wallets, chainId } = chain
  const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
  const rail = x402Rail({ network, rpcUrl, facilitator, payTo: wallets.platform.address })
  const test = await createTestApp(
    mergeOptions(
      {
        payments: { rails: [rail] },
        auth: { walletVerifier: evmWallets({ chains: [{ chainId, rpcUrl }] }) },
      },
      options,
    ),
    {},
    addRoutes,
  )
  return { ...test, shop: await openShop(test.app, `signer-${++names}`) }
}

/** `fetch` for pages of the service, without a network. */
const fetchOf =
  (app: TestApp): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const answer = await client(app)
      .with(Object.fromEntries(request.headers))
      .send(request.method as 'GET', `${pathname}${search}`)
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const each of [value ?? []].flat()) headers.append(name, String(each))
    }
    return new Response(answer.body, { status: answer.statusCode, headers })
  }

interface SignInInfo {
  readonly info: { readonly nonce: string; readonly uri: string }
  readonly supportedChains: readonly { readonly chainId: string; readonly type: 'eip191' }[]
}

/** What a 402 of a page asks to be signed, by the hand of the official library. */
async function askedBy(app: TestApp, path: string) {
  const required = decodeHeader(await client(app).get(path), 'payment-required')
  const { info, supportedChains } = required.extensions['sign-in-with-x'] as SignInInfo
  return { ...info, ...(supportedChains[0] as SignInInfo['supportedChains'][number]) } as Parameters<
    typeof createSIWxPayload
  >[0]
}

async function signIn(app: TestApp, path: string, wallet: Wallet, changes: Partial<SIWxPayload> = {}) {
  const payload = await createSIWxPayload(await askedBy(app, path), wallet.account, PUBLIC_URL)
  return { 'sign-in-with-x': encodeSIWxHeader({ ...payload, ...changes }) }
}

const clientOf = (wallet: Wallet) => new x402Client().register(network, new ExactEvmScheme(wallet.account))
const spentBy = async (wallet: Wallet) => 1_000_000n - (await chain.balanceOf(wallet.address))

/** A wallet that has bought the page, and kept no cookie. */
async function buyer(app: TestApp, { paid }: Pick<Shop, 'paid'>) {
  const wallet = await chain.newPayer(1_000_000n)
  const response = await wrapFetchWithPayment(fetchOf(app), clientOf(wallet))(`${PUBLIC_URL}${paid}`)
  expect(response.status).toBe(200)
  return wallet
}

describe('signing in with a wallet at a route of the host, next to a service below a prefix', () => {
  it('opens what the wallet bought there', async () => {
    const path = '/quotes'
    const price = { amount: 0.01, currency: 'usdc', per: 'day' } as const
    const { app, close } = await open({ publicUrl: `${PUBLIC_URL}/eep` }, (host) => {
      const profile = () => host.eep.profiles.didOf({ type: 'person', username: `signer-${names}` })
      const preHandler = host.eep.requireAccess({ profile, resource: 'api.quotes', price })
      host.get(path, { preHandler }, async () => 'Buy low.')
    })
    const wallet = await buyer(app, { paid: path })
    expect((await client(app).get(path)).statusCode).toBe(402)
    expect((await client(app).get(path, await signIn(app, path, wallet))).statusCode).toBe(200)
    await close()
  })
})

describe.each(['lookup', 'signed'] as const)(
  'signing in with a wallet, where payers prove themselves by %s',
  (payerProof) => {
    let test: Awaited<ReturnType<typeof open>>
    let shop: Shop
    const time = createClock()
    beforeAll(async () => {
      test = await open({ payments: { payerProof }, clock: time.clock })
      shop = test.shop
    })
    afterAll(() => test.close())

    const ask = (headers: Record<string, string>, path = shop.paid) => client(test.app).get(path, headers)

    it('opens what the wallet bought to the official client, which pays once', async () => {
      const wallet = await chain.newPayer(1_000_000n)
      const payer = clientOf(wallet)
      payer.registerExtension(createSIWxClientExtension({ signers: [wallet.account] }))
      const pay = wrapFetchWithPayment(fetchOf(test.app), new x402HTTPClient(payer))
      for (const path of [shop.paid, shop.paid, shop.other]) {
        const response = await pay(`${PUBLIC_URL}${path}`)
        expect(response.status).toBe(200)
        expect(await response.text()).toContain(SECRET_WORD)
      }
      expect(await spentBy(wallet)).toBe(10_000n)
    })

    it('opens it to the wrapped fetch of the extension, and never to a wallet that bought nothing', async () => {
      const bought = await buyer(test.app, shop)
      const otherPayer = await chain.newPayer()
      const statusFor = async ({ account }: Wallet) =>
        (await wrapFetchWithSIWx(fetchOf(test.app), account)(`${PUBLIC_URL}${shop.paid}`)).status
      expect(await statusFor(bought)).toBe(200)
      expect(await statusFor(otherPayer)).toBe(402)
    })

    it('gives the payer what it shows next time', async () => {
      const wallet = await buyer(test.app, shop)
      const first = await ask(await signIn(test.app, shop.paid, wallet))
      expect(first.statusCode).toBe(200)
      expect(first.headers['x-eep-payer-wallet']).toBe(wallet.address.toLowerCase())
      const cookies = ['eep_payer', '__Host-eep_payer_sig'].map((name) => `${name}=${cookieOf(first, name)}`)
      expect((await ask({ cookie: cookies.join('; ') })).statusCode).toBe(200)
      expect((await ask({ cookie: cookies[0] ?? '' })).statusCode).toBe(payerProof === 'signed' ? 402 : 200)
      const named = { 'x-eep-payer-wallet': wallet.address, 'x-eep-payer-network': network }
      expect((await ask(named)).statusCode).toBe(payerProof === 'signed' ? 402 : 200)
      expect((await ask({ ...named, ...(await signIn(test.app, shop.paid, wallet)) })).statusCode).toBe(200)
    })

    it('takes each message once, also of two at the same time', async () => {
      const wallet = await buyer(test.app, shop)
      const shown = await signIn(test.app, shop.paid, wallet)
      const answers = await Promise.all([ask(shown), ask(shown), ask(shown)])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 402, 402])
      const again = await ask(shown)
      expect(again.json().error.details).toEqual({ reason: 'siwx_nonce_used' })
      expect(again.json().inline_retry_supported).toBe(true)
    })

    it('does not use up a message by a wrong signature', async () => {
      const wallet = await buyer(test.app, shop)
      const payload = await createSIWxPayload(await askedBy(test.app, shop.paid), wallet.account, PUBLIC_URL)
      const wrong = { ...payload, signature: await chain.wallets.thirdParty.account.signMessage({ message: 'Hello.' }) }
      const refused = await ask({ 'sign-in-with-x': encodeSIWxHeader(wrong) })
      expect(refused.json().error.details).toEqual({ reason: 'invalid_siwx_signature' })
      expect((await ask({ 'sign-in-with-x': encodeSIWxHeader(payload) })).statusCode).toBe(200)
    })

    it('reports why a message is not a proof, and offers the page again', async () => {
      const wallet = await buyer(test.app, shop)
      const sign = async (changes: Record<string, unknown>) => {
        const asked = { ...(await askedBy(test.app, shop.paid)), ...changes } as Awaited<ReturnType<typeof askedBy>>
        // The library refuses to sign for another origin than the one it asked.
        const at = asked.domain === new URL(PUBLIC_URL).host ? PUBLIC_URL : `https://${asked.domain}`
        return { 'sign-in-with-x': encodeSIWxHeader(await createSIWxPayload(asked, wallet.account, at)) }
      }
      const evil = { domain: 'evil.example', uri: `https://evil.example${shop.paid}` }
      const cases: [Record<string, string>, string][] = [
        [await sign({ uri: `${PUBLIC_URL}${shop.other}` }), 'siwe_uri_mismatch'],
        [await sign(evil), 'siwe_domain_mismatch'],
        [await sign({ nonce: `${'0123456789abcdef'.repeat(3)}01234567` }), 'invalid_siwx_nonce'],
        [await sign({ nonce: (await askedBy(test.app, shop.other)).nonce }), 'invalid_siwx_nonce'],
        [await sign({ chainId: 'eip155:1' }), 'siwe_chain_unsupported'],
        [await sign({ issuedAt: new Date(time.clock().getTime() + 120_000).toISOString() }), 'siwe_issued_in_future'],
        [await sign({ expirationTime: new Date(time.clock().getTime() - 1).toISOString() }), 'siwe_expired'],
        [await signIn(test.app, shop.paid, wallet, { statement: 'I give you everything' }), 'invalid_siwx_signature'],
        [await signIn(test.app, shop.paid, wallet, { statement: 'Two\nlines' }), 'invalid_siwe_message'],
        [
          await signIn(test.app, shop.paid, wallet, { address: chain.wallets.thirdParty.address }),
          'invalid_siwx_signature',
        ],
        [{ 'sign-in-with-x': 'e30' }, 'invalid_siwx'],
        [{ 'sign-in-with-x': 'not base64!' }, 'invalid_siwx'],
        [{ 'sign-in-with-x': 'A'.repeat(9_000) }, 'invalid_siwx'],
        [{ 'sign-in-with-x': encodeHeader({ type: 'ed25519', chainId: 'solana:1' }) }, 'invalid_siwx'],
      ]
      for (const [headers, reason] of cases) {
        const answer = await ask(headers)
        expect([reason, answer.statusCode]).toEqual([reason, 402])
        expect(answer.json().error.details).toEqual({ reason })
        expect(answer.headers['payment-required']).toBeDefined()
      }
    })

    it('takes no message that is older than five minutes', async () => {
      const wallet = await buyer(test.app, shop)
      const asked = await askedBy(test.app, shop.paid)
      const { expirationTime: _, ...endless } = asked
      const payload = await createSIWxPayload(endless, wallet.account, PUBLIC_URL)
      const shown = { 'sign-in-with-x': encodeSIWxHeader(payload) }
      const later = await time.at(time.clock().getTime() + 301_000, () => ask(shown))
      expect(later.json().error.details).toEqual({ reason: 'invalid_siwx_nonce' })
      expect((await time.at(time.clock().getTime() + 290_000, () => ask(shown))).statusCode).toBe(200)
    })

    it('stops with the entitlement', async () => {
      const wallet = await buyer(test.app, shop)
      const { data } = (await ask(shop.headers, `/manage/entitlements?profile_id=${shop.profileId}`)).json()
      const mine = data.find(
        (one: { payer_wallet_address: string }) => one.payer_wallet_address === wallet.address.toLowerCase(),
      )
      await client(test.app).as(shop).delete(`/manage/entitlements/${mine.id}`)
      expect((await ask(await signIn(test.app, shop.paid, wallet))).statusCode).toBe(402)
    })

    it('opens nothing at the gate of another seller', async () => {
      const wallet = await buyer(test.app, shop)
      const neighbour = await openShop(test.app, `neighbour-${++names}`)
      const answer = await ask(await signIn(test.app, neighbour.paid, wallet), neighbour.paid)
      expect(answer.statusCode).toBe(402)
      expect(answer.json().error.details).toBeUndefined()
    })
  },
)

describe('the extensions of a 402', () => {
  it('are readable by the official library, with new nonces in each', async () => {
    const { app, shop, close } = await open()
    const required = decodeHeader(await client(app).get(shop.paid), 'payment-required')
    expect(validatePaymentIdentifier(required.extensions['payment-identifier'])).toEqual({ valid: true })
    const { info, supportedChains } = required.extensions['sign-in-with-x']
    expect(info).toMatchObject({ domain: 'profiles.example', uri: `${PUBLIC_URL}${shop.paid}`, version: '1' })
    expect(supportedChains).toEqual([{ chainId: network, type: 'eip191' }])
    expect((await askedBy(app, shop.paid)).nonce).not.toBe(info.nonce)
    await close()
  })

  it('omits the extension without a wallet verifier, or without lasting access', async () => {
    const named = async (options: TestAppOptions, per: string) => {
      const { app, close } = await open(options)
      const shop = await openShop(app, `bare-${++names}`, { per })
      const required = decodeHeader(await client(app).get(shop.paid), 'payment-required')
      await close()
      return Object.keys(required.extensions)
    }
    expect(await named({}, 'day')).toContain('sign-in-with-x')
    expect(await named({ auth: { walletVerifier: undefined } }, 'day')).not.toContain('sign-in-with-x')
    expect(await named({}, 'request')).not.toContain('sign-in-with-x')
  })
})

describe('a service on two networks', () => {
  it('knows a plain key on both, whichever it signs in for and wherever it paid', async () => {
    const other = await startLocalChain({ network: 'base' })
    const on = ({ network: name, rpcUrl, wallets }: LocalChain) => ({
      network: name,
      rpcUrl,
      payTo: wallets.platform.address,
      facilitator: localFacilitator({ network: name, rpcUrl, privateKey: wallets.facilitator.privateKey }),
    })
    const chains = [chain, other].map(({ chainId, rpcUrl }) => ({ chainId, rpcUrl }))
    const { app, shop, close } = await open({
      payments: { rails: [{ ...x402Rail({ ...on(chain), also: [on(other)] }), moneyKind: 'test' }] },
      auth: { walletVerifier: evmWallets({ chains }) },
    })
    const wallet = await other.newPayer(1_000_000n)
    const payer = new x402Client().register('eip155:8453', new ExactEvmScheme(wallet.account))
    payer.registerExtension(createSIWxClientExtension({ signers: [wallet.account] }))
    const pay = wrapFetchWithPayment(fetchOf(app), new x402HTTPClient(payer))
    for (const path of [shop.paid, shop.paid, shop.other]) {
      expect((await pay(`${PUBLIC_URL}${path}`)).status).toBe(200)
    }
    expect(await other.balanceOf(wallet.address)).toBe(990_000n)
    expect((await askedBy(app, shop.paid)).chainId).toBe(network)
    const shown = await client(app).get(shop.paid, await signIn(app, shop.paid, wallet))
    expect([shown.statusCode, shown.headers['x-eep-payer-network']]).toEqual([200, 'eip155:8453'])

    // A contract has an owner on its chain only.
    const owned = await chain.newContractWallet(chain.wallets.seller)
    const asked = { ...(await askedBy(app, shop.paid)), chainId: 'eip155:8453' } as Awaited<ReturnType<typeof askedBy>>
    const signMessage = async ({ message }: { message: string }) =>
      contractSignature(await owned.account.signMessage({ message })) as `0x${string}`
    const payload = await createSIWxPayload(asked, { address: owned.address, signMessage }, PUBLIC_URL)
    const refused = await client(app).get(shop.paid, { 'sign-in-with-x': encodeSIWxHeader(payload) })
    expect(refused.json().error.details).toEqual({ reason: 'invalid_siwx_signature' })
    await close()
    await other.stop()
  })
})

describe('a contract wallet', () => {
  it('signs in with a contract wallet through its chain, and returns 503 while the chain does not answer', async () => {
    const { app, shop, close } = await open()
    const { rpcUrl, chainId } = chain
    const wallet = await chain.newContractWallet(chain.wallets.seller)
    const required = decodeHeader(await client(app).get(shop.paid), 'payment-required')
    const signed = await signPayment(required.accepts[0], wallet, { signature: contractSignature })
    const paid = await client(app).get(shop.paid, { 'payment-signature': encodeHeader(signed) })
    expect(paid.statusCode).toBe(200)

    const asked = await askedBy(app, shop.paid)
    const payload = await createSIWxPayload(
      asked,
      {
        address: wallet.address,
        signMessage: async ({ message }: { message: string }) =>
          contractSignature(await wallet.account.signMessage({ message })) as `0x${string}`,
      },
      PUBLIC_URL,
    )
    const headers = { 'sign-in-with-x': encodeSIWxHeader(payload) }
    expect((await client(app).get(shop.paid, headers)).statusCode).toBe(200)
    await close()

    const silent = await open({
      auth: { walletVerifier: { chainIds: [chainId], verify: () => Promise.reject(new Error(rpcUrl)) } },
    })
    const shown = await signIn(silent.app, silent.shop.paid, chain.wallets.payer)
    const answer = await client(silent.app).get(silent.shop.paid, shown)
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'wallet_chain_unavailable'])
    expect(answer.body).not.toContain(rpcUrl)
    await silent.close()
  })
})

describe('a payment with an identifier', () => {
  it('is settled once by the official client, whose repeat gets the same answer', async () => {
    const { app, shop, close } = await open()
    const wallet = await chain.newPayer(1_000_000n)
    const http = new x402HTTPClient(clientOf(wallet))
    const required = decodeHeader(await client(app).get(shop.paid), 'payment-required')
    appendPaymentIdentifierToExtensions(required.extensions, 'pay_0123456789abcdef')
    const payload = await http.createPaymentPayload(required)
    const headers = http.encodePaymentSignatureHeader(payload)
    const first = await client(app).get(shop.paid, headers)
    const again = await client(app).get(shop.paid, headers)
    expect([first.statusCode, again.statusCode]).toEqual([200, 200])
    expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
    expect(again.body).toBe(first.body)
    expect(await spentBy(wallet)).toBe(10_000n)

    const other = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required))
    const conflict = await client(app).get(shop.paid, other)
    expect([conflict.statusCode, conflict.json().error.code]).toEqual([409, 'payment_identifier_conflict'])
    expect(await spentBy(wallet)).toBe(10_000n)
    await close()
  })
})

describe('signed offers and receipts', () => {
  it('verify by the official library with the keys of the service, and belong together', async () => {
    const { app, shop, close } = await open({ payments: { signedOffers: true } })
    const wallet = await chain.newPayer(1_000_000n)
    const document = (await client(app).get('/.well-known/did.json')).json()
    const [method] = document.verificationMethod
    // `importJWK` returns bytes for symmetric keys only.
    const key = (await importJWK(method.publicKeyJwk, 'EdDSA')) as never

    const required = decodeHeader(await client(app).get(shop.paid), 'payment-required')
    const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(required))
    if (!offer) throw new Error('no offer is signed')
    expect(findAcceptsObjectFromSignedOffer(offer, required.accepts)).toEqual(required.accepts[0])
    // The service signs as JWS; the type also allows EIP-712.
    expect(await verifyOfferSignatureJWS(offer.signedOffer as never, key)).toMatchObject({
      resourceUrl: `${PUBLIC_URL}${shop.paid}`,
      amount: '10000',
    })

    const response = await wrapFetchWithPayment(fetchOf(app), clientOf(wallet))(`${PUBLIC_URL}${shop.paid}`)
    const receipt = extractReceiptFromResponse(response)
    if (!receipt) throw new Error('no receipt is signed')
    // As above.
    expect(await verifyReceiptSignatureJWS(receipt as never, key)).toMatchObject({ network })
    expect(verifyReceiptMatchesOffer(receipt, offer, [wallet.address])).toBe(true)
    const [header = ''] = String((receipt as { signature: string }).signature).split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'EdDSA', kid: method.id })
    await close()
  })

  it('are opt-in for a 402, and always present in the receipt', async () => {
    const { app, shop, close } = await open()
    const required = decodeHeader(await client(app).get(shop.paid), 'payment-required')
    expect(extractOffersFromPaymentRequired(required)).toEqual([])
    const wallet = await chain.newPayer(1_000_000n)
    const response = await wrapFetchWithPayment(fetchOf(app), clientOf(wallet))(`${PUBLIC_URL}${shop.paid}`)
    expect(extractReceiptFromResponse(response)).toMatchObject({ format: 'jws' })
    await close()
  })
})
