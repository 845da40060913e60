import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, outcomeOf, purchaseOf } from './testing/bench.ts'
import type { LocalChain, PaymentChanges } from './testing/index.ts'
import { encodeHeader, signPayment, startLocalChain, startRpcProxy } from './testing/index.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startLocalChain()
})
afterAll(() => chain.stop())

const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const seconds = () => Math.floor(Date.now() / 1000)

/** The second half of the curve: the same point, which tokens refuse. */
function highS(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  return signature.slice(0, 66) + s + (signature.endsWith('1b') ? '1c' : '1b')
}

/** EIP-2098: v in the top bit of s. */
function compact(signature: string): string {
  const s = BigInt(`0x${signature.slice(66, 130)}`) | (signature.endsWith('1c') ? 1n << 255n : 0n)
  return signature.slice(0, 66) + s.toString(16).padStart(64, '0')
}

/** Payments that differ from the offer, and the reasons of their refusals. */
const wrongTerms: Record<string, readonly [() => PaymentChanges, string]> = {
  'one unit less': [() => ({ authorization: { value: '9999' } }), 'value_mismatch'],
  'one unit more': [() => ({ authorization: { value: '10001' } }), 'value_mismatch'],
  'nothing at all': [() => ({ authorization: { value: '0' } }), 'value_mismatch'],
  'another receiver': [() => ({ authorization: { to: other } }), 'recipient_mismatch'],
  'a signature for another chain': [() => ({ domain: { network: 'eip155:8453' } }), 'evm_signature'],
  'a signature for another name': [() => ({ domain: { name: 'USD Coin' } }), 'evm_signature'],
  'a signature for another version': [() => ({ domain: { version: '1' } }), 'evm_signature'],
  'a signature for another token': [() => ({ domain: { address: other } }), 'evm_signature'],
  'the address of another payer': [() => ({ authorization: { from: other } }), 'evm_signature'],
  'a signature of zeros': [() => ({ signature: () => `0x${'00'.repeat(65)}` }), 'evm_signature'],
  'a signature with one bit flipped': [
    () => ({ signature: (plain) => plain.slice(0, 20) + (plain[20] === '8' ? '9' : '8') + plain.slice(21) }),
    'evm_signature',
  ],
  'a compact signature': [() => ({ signature: compact }), 'evm_signature'],
  'a signature with a high s': [() => ({ signature: highS }), 'evm_signature'],
  'a signature with an odd v': [() => ({ signature: (plain) => `${plain.slice(0, -2)}1d` }), 'evm_signature'],
  'an expired payment': [() => ({ lifeSeconds: -1 }), 'valid_before'],
  'less than 6 s to live': [() => ({ lifeSeconds: 4 }), 'valid_before'],
  'more life than is asked for': [() => ({ lifeSeconds: 120 + 700 }), 'valid_before'],
  'no end': [() => ({ authorization: { validBefore: (2n ** 256n - 1n).toString() } }), 'valid_before'],
  'a beginning a minute ahead': [() => ({ authorization: { validAfter: String(seconds() + 60) } }), 'valid_after'],
  'a beginning 2 s ahead': [() => ({ authorization: { validAfter: String(seconds() + 3) } }), 'valid_after'],
}

describe('verify', () => {
  it.each(Object.entries(wrongTerms))('refuses %s', async (_name, [changes, reason]) => {
    const { present, verify, received } = createBench(chain)
    expect(await outcomeOf(verify(await present(chain.wallets.payer, changes())))).toMatch(
      new RegExp(`^refused: .*${reason}$`),
    )
    expect(await received()).toEqual([])
  })

  it.each([
    ['value', '9999'],
    ['to', other],
    ['validBefore', String(seconds() + 300)],
    ['validAfter', '1'],
    ['nonce', `0x${'77'.repeat(32)}`],
  ])('refuses a %s that is not the one signed', async (member, value) => {
    const { present, read, verify } = createBench(chain)
    const { signed, purchase } = await present()
    const { authorization, signature } = signed.payload
    const forged = { ...signed, payload: { authorization: { ...authorization, [member]: value }, signature } }
    expect(await outcomeOf(verify({ signed, credential: read(forged), purchase }))).toMatch(
      /^refused: invalid_exact_evm_/,
    )
  })

  it('does not find a purchase for an offer that was changed', async () => {
    const { rail, offer } = createBench(chain)
    const accepted = await offer()
    const changed = async (member: string, value: string) => {
      const signed = await signPayment(accepted, chain.wallets.payer, { accepted: { ...accepted, [member]: value } })
      const credential = rail.read({ paymentSignature: encodeHeader(signed) })
      return credential && rail.matches(credential, purchaseOf())
    }
    expect(await changed('amount', '1')).toBe(false)
    expect(await changed('payTo', other)).toBe(false)
    expect(await changed('asset', other)).toBeUndefined()
    expect(await changed('network', 'eip155:8453')).toBeUndefined()
    expect(await changed('scheme', 'upto')).toBeUndefined()
  })

  it('refuses a payer without the money, a token that is paused and an account the token has banned', async () => {
    const { present, verify } = createBench(chain)
    const verdict = async (wallet = chain.wallets.payer) => outcomeOf(verify(await present(wallet)))
    expect(await verdict(await chain.newPayer(0n))).toBe('refused: invalid_exact_evm_insufficient_balance')
    await chain.setPaused(true)
    expect(await verdict()).toBe('refused: invalid_exact_evm_transaction_simulation_failed')
    await chain.setPaused(false)
    const banned = await chain.newPayer()
    await chain.setBlacklisted(banned.address, true)
    expect(await verdict(banned)).toBe('refused: invalid_exact_evm_transaction_simulation_failed')
  })

  it('refuses an authorization that was canceled or spent on another receiver', async () => {
    const { present, verify } = createBench(chain)
    const cancelled = await present()
    await chain.cancel(chain.wallets.payer, cancelled.signed.payload.authorization.nonce)
    expect(await outcomeOf(verify(cancelled))).toBe('refused: invalid_exact_evm_nonce_already_used')

    const elsewhere = await present()
    const { nonce } = elsewhere.signed.payload.authorization
    const sibling = await present(chain.wallets.payer, { authorization: { nonce, to: other } })
    await chain.submit(sibling.signed.payload)
    expect(await outcomeOf(verify(elsewhere))).toBe('refused: invalid_exact_evm_nonce_already_used')
  })

  it('refuses wrong terms without a request, and a wrong signature after reading the code only', async () => {
    const proxy = await startRpcProxy(chain.rpcUrl)
    const { present, verify } = createBench(chain, { rpcUrl: proxy.rpcUrl })
    await outcomeOf(verify(await present(chain.wallets.payer, { authorization: { value: '1' } })))
    expect(proxy.calls).toEqual([])
    await outcomeOf(verify(await present(chain.wallets.payer, { domain: { version: '1' } })))
    expect(proxy.calls).toEqual(['eth_getCode'])
    await proxy.stop()
  })

  it('throws 503 instead of a refusal while the chain or the facilitator is unreachable', async () => {
    const proxy = await startRpcProxy(chain.rpcUrl)
    const { present, verify } = createBench(chain, { rpcUrl: proxy.rpcUrl })
    const payment = await present()
    proxy.fail('*', 'down')
    expect(await outcomeOf(verify(payment))).toBe('fault: payment_uncheckable')
    proxy.fail('*', 'error')
    expect(await outcomeOf(verify(payment))).toBe('fault: payment_uncheckable')
    proxy.heal()
    expect(await outcomeOf(verify(payment))).toBe('settled')
    await proxy.stop()

    const verifyAway = () => Promise.reject(new Error('fetch failed'))
    const away = createBench(chain, {
      facilitator: { verify: verifyAway, settle: verifyAway, getSupported: verifyAway },
    })
    expect(await outcomeOf(away.verify(await away.present()))).toBe('fault: payment_uncheckable')
  })

  it('accepts the refusals that a facilitator of the official library throws', async () => {
    const refusal = Object.assign(new Error('402'), { invalidReason: 'invalid_exact_evm_insufficient_balance' })
    const verifyRefused = () => Promise.reject(refusal)
    const { present, verify } = createBench(chain, {
      facilitator: { verify: verifyRefused, settle: verifyRefused, getSupported: verifyRefused },
    })
    expect(await outcomeOf(verify(await present()))).toBe('refused: invalid_exact_evm_insufficient_balance')
  })

  it('checks expiry by the clock of the chain and of this process', async () => {
    const snapshot = await chain.snapshot()
    const { present, verify, received } = createBench(chain)
    await chain.increaseTime(180)
    expect(await outcomeOf(verify(await present()))).toBe(
      'refused: invalid_exact_evm_payload_authorization_valid_before',
    )
    expect(await received()).toEqual([])
    await chain.revert(snapshot)
  })

  it('accepts payers whose clocks are a minute slow or fast', async () => {
    const { present, verify } = createBench(chain)
    expect(await outcomeOf(verify(await present(chain.wallets.payer, { lifeSeconds: 120 - 60 })))).toBe('settled')
    expect(await outcomeOf(verify(await present(chain.wallets.payer, { lifeSeconds: 120 + 60 })))).toBe('settled')
    const yesterday = { authorization: { validAfter: String(seconds() - 600) } }
    expect(await outcomeOf(verify(await present(chain.wallets.payer, yesterday)))).toBe('settled')
  })
})
