import { expect, it } from 'vitest'
import { inLockOrder } from './grant-order.ts'

it('sorts grants by wallet, network and pattern, as bytes', () => {
  const sorted = [
    ['A', 'account', 'content.z'],
    ['a', 'account', 'content.*'],
    ['a', 'account', 'content.B'],
    ['a', 'account', 'content.a'],
    ['a', 'cash:test', 'content.*'],
    ['\u{fffd}', 'account', 'content.a'],
    // Greater as UTF-8, and less as UTF-16.
    ['\u{1f600}', 'account', 'content.a'],
  ].map(([payerWalletAddress = '', payerNetwork = '', resourcePattern = '']) => ({
    payerWalletAddress,
    payerNetwork,
    resourcePattern,
  }))
  expect(inLockOrder(sorted.toReversed())).toEqual(sorted)
})
