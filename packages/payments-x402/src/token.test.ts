import { describe, expect, it } from 'vitest'
import type { TokenLog } from './token.ts'
import { addressTopic, showsTransfer, topics } from './token.ts'

const token = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const payer = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const seller = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const accomplice = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const nonce = `0x${'0a'.repeat(32)}`
const otherNonce = `0x${'0b'.repeat(32)}`

const authorization = { from: payer, to: seller, value: '10000', validAfter: '0', validBefore: '1', nonce }

const log = (logIndex: number, logTopics: readonly string[], data = '0x', address = token): TokenLog => ({
  address,
  topics: logTopics,
  data,
  logIndex: `0x${logIndex.toString(16)}`,
})
const used = (at: number, of = nonce, from = payer) => log(at, [topics.used, addressTopic(from), of])
const transfer = (at: number, to = seller, value = 10_000, address = token) =>
  log(
    at,
    [topics.transfer, addressTopic(payer), addressTopic(to)],
    `0x${value.toString(16).padStart(64, '0')}`,
    address,
  )

describe('showsTransfer', () => {
  it('accepts a transfer that follows the event of its nonce', () => {
    expect(showsTransfer([used(0), transfer(1)], token, authorization)).toBe(true)
    expect(showsTransfer([transfer(12), used(9)], token.toLowerCase(), authorization)).toBe(true)
  })

  it('distinguishes several payments in one transaction', () => {
    const logs = [used(0, otherNonce), transfer(1, accomplice), used(2), transfer(3)]
    expect(showsTransfer(logs, token, authorization)).toBe(true)
    expect(showsTransfer(logs, token, { ...authorization, nonce: otherNonce })).toBe(false)
  })

  it('does not count the transfer of another authorization twice', () => {
    // The nonce is used for something else, and a second authorization of the same payer pays the seller.
    const logs = [used(0), transfer(1, accomplice), used(2, otherNonce), transfer(3)]
    expect(showsTransfer(logs, token, authorization)).toBe(false)
    expect(showsTransfer(logs, token, { ...authorization, nonce: otherNonce })).toBe(true)
  })

  it('ignores logs of other contracts', () => {
    expect(showsTransfer([used(0), transfer(1, seller, 10_000, accomplice)], token, authorization)).toBe(false)
    expect(showsTransfer([used(0), transfer(1, seller, 1, accomplice), transfer(2)], token, authorization)).toBe(true)
  })

  it.each([
    ['no logs', []],
    ['no transfer', [used(0)]],
    ['no mark', [transfer(1)]],
    ['another receiver', [used(0), transfer(1, accomplice)]],
    ['another value', [used(0), transfer(1, seller, 9_999)]],
    ['another payer', [used(0, nonce, accomplice), transfer(1)]],
    ['a cancellation', [log(0, [topics.canceled, addressTopic(payer), nonce]), transfer(1)]],
  ])('sees nothing in %s', (_name, logs) => {
    expect(showsTransfer(logs, token, authorization)).toBe(false)
  })
})
