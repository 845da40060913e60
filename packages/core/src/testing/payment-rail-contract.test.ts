import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCashWallets } from './cash/cash-wallets.ts'
import { cashRail } from './cash-rail.ts'
import { paymentRailContract } from './payment-rail-contract.ts'
import { newPurchase } from './records.ts'
import type { TestRunner } from './runner.ts'

// Runs with vitest, and with node:test in a separate process.
const { VITEST, ...env } = process.env
const runner: TestRunner = VITEST ? await import('vitest') : await import('node:test')

paymentRailContract(runner, () => {
  const cashWallets = createCashWallets()
  return {
    rail: cashRail({ cashWallets }),
    purchase: newPurchase(),
    pay: async ({ accept = {} }) => cashWallets.pay(accept),
    underpay: async ({ accept = {} }) => cashWallets.pay(accept, { amount: '9999' }),
    payTwice: async ({ accept = {} }) => {
      const wallet = 'wallet:small'
      cashWallets.fund(wallet, 15_000n)
      return [cashWallets.pay(accept, { wallet }), cashWallets.pay(accept, { wallet })]
    },
    broken: [{ paymentSignature: 'no base64!' }, { paymentSignature: 'e30=' }],
    taken: async () => cashWallets.balance(),
    loseAnswer: () => cashWallets.next('settle', { lose: 'answer' }),
    lies: {
      'loses the request': () => cashWallets.next('settle', { lose: 'request' }),
      'loses the answer': () => cashWallets.next('settle', { lose: 'answer', as: new Error('502 Bad Gateway') }),
      'answers late': () => cashWallets.next('settle', { late: new Promise((resolve) => setTimeout(resolve, 50)) }),
      'times out after it took the money': () => {
        cashWallets.next('settle', { late: new Promise((resolve) => setTimeout(resolve, 20)), lose: 'answer' })
      },
      redirects: () => cashWallets.next('settle', { lose: 'request', as: new Error('302 Found') }),
      'throws no error at all': () => cashWallets.next('settle', { lose: 'answer', as: 'nothing' }),
      'loses two answers': () => {
        cashWallets.next('settle', { lose: 'answer' })
        cashWallets.next('recover', { lose: 'answer' })
      },
      refuses: () => cashWallets.next('settle', { refuse: 'insufficient_funds' }),
    },
    refunds: {
      giveBack: ({ payer }) => cashWallets.giveBack({ to: payer.wallet }),
      wrong: {
        'another amount': ({ payer }) => cashWallets.giveBack({ to: payer.wallet, amount: 9_999n }),
        'another payer': ({ amount }) =>
          cashWallets.giveBack({ to: 'wallet:other', from: newPurchase().sellerDid, amount: amount.atomic }),
        'another asset': ({ payer }) => cashWallets.giveBack({ to: payer.wallet, asset: 'slips' }),
        'an earlier transfer': ({ payer }) => cashWallets.giveBack({ to: payer.wallet, at: new Date(0) }),
      },
      unseen: 'back_unseen',
    },
    another: async () => cashRail({ cashWallets: createCashWallets({ ledger: cashWallets.ledger }) }),
  }
})

if (VITEST) {
  runner.it('runs under node:test as well', async () => {
    const file = fileURLToPath(import.meta.url)
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env })
    assert.match(stdout, /^# pass [1-9]/m)
    assert.match(stdout, /^# fail 0$/m)
  })
}
