import { eraseAccount } from '@eep/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createCashApp, header, openShop, receiptIdOf } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>

beforeAll(async () => {
  test = await createCashApp()
})
afterAll(() => test.close())

/** Pays while the profile is transferred. Returns the new owner and the receipt. */
async function sellDuringTransfer(name: string, meanwhile: (seller: string) => Promise<void> = async () => undefined) {
  const shop = await openShop(test.app, name)
  const seller = (await shop.get('/auth/me')).json()
  const next = await signUp(test.app)
  const { promise, resolve } = Promise.withResolvers<void>()
  const offer = await client(test.app).get(shop.paid)
  const proof = test.cashWallets.answer(header(offer, 'payment-required'), { wallet: `wallet:${name}` })
  const before = test.cashWallets.calls.length
  test.cashWallets.next('settle', { hold: promise })
  const paying = client(test.app).get(shop.paid, proof)
  await expect.poll(() => test.cashWallets.calls.slice(before)).toContain('settle')
  const { updatedAt } = (await test.storage.read.profiles.get(shop.profileId)) ?? {}
  await test.storage.transaction((tx) =>
    tx.profiles.save(shop.profileId, { ownerAccountId: next.account.id, updatedAt: updatedAt ?? new Date() }),
  )
  await meanwhile(seller.id)
  resolve()
  const paid = await paying
  expect(paid.statusCode, paid.body).toBe(200)
  const receipt = await test.storage.read.receipts.get(receiptIdOf(paid))
  const payer = { 'x-eep-payer-wallet': `wallet:${name}`, 'x-eep-payer-network': 'cash:test' }
  const again = await client(test.app).get(shop.paid, payer)
  return { seller, next, receipt, again: again.statusCode }
}

it('names as seller who owned the profile when the payment was claimed, by the tier of that account', async () => {
  const { seller, receipt, again } = await sellDuringTransfer('before-transfer', (id) =>
    test.storage.transaction(async (tx) => {
      await tx.accounts.save(id, { tier: 'pro' })
    }),
  )
  expect(receipt?.seller.accountId).toBe(seller.id)
  expect(receipt?.commissionBps).toBe(500)
  expect(again).toBe(200)
})

it('names no seller when the account is deleted, and still grants the access', async () => {
  const { receipt, again } = await sellDuringTransfer('before-purge', (id) =>
    test.storage.transaction(async (tx) => {
      await eraseAccount(tx, id)
    }),
  )
  expect(receipt?.seller.accountId).toBeNull()
  expect(again).toBe(200)
})
