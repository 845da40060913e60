import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AccountProofs } from '../../ports/storage/profiles.ts'
import { newIdentity, newReceipt, newWallet } from '../records.ts'
import { casesFor } from './bench.ts'

const GROUPS = ['profileNumbers', 'wallets', 'identities', 'sales'] as const

export const accountProofCases = casesFor(GROUPS, (it, bench) => {
  const proofsOf = async (accountId: string): Promise<AccountProofs | undefined> =>
    (await bench.read.profileNumbers.listProofs([accountId])).get(accountId)

  it('reads what the records of several accounts prove, each separately', async () => {
    const [known, plain, unasked] = [await bench.account(), await bench.account(), await bench.account()]
    await bench.write(async (tx) => {
      await tx.accounts.save(known.id, { emailVerified: true })
      await tx.identities.insert(newIdentity(known.id))
      await tx.receipts.insert(newReceipt({ payerAccountId: known.id }))
      for (const { id } of [known, unasked]) await tx.wallets.put(newWallet(id))
    })
    const missing = randomUUID()
    assert.deepEqual(
      await bench.read.profileNumbers.listProofs([known.id, plain.id, missing, 'unknown', known.id]),
      new Map([
        [
          known.id,
          {
            emailVerified: true,
            accountCreatedAt: known.createdAt,
            walletLinked: true,
            providerLinked: true,
            hasPaid: true,
          },
        ],
        [
          plain.id,
          {
            emailVerified: false,
            accountCreatedAt: plain.createdAt,
            walletLinked: false,
            providerLinked: false,
            hasPaid: false,
          },
        ],
      ]),
    )
    assert.deepEqual(await bench.read.profileNumbers.listProofs([]), new Map())
  })

  it('counts no identity of the host', async () => {
    const { id } = await bench.account()
    await bench.write((tx) => tx.identities.insert(newIdentity(id, { provider: 'host' })))
    assert.equal((await proofsOf(id))?.providerLinked, false)
  })

  it('counts no payment to the account itself and no refunded one', async () => {
    const { id } = await bench.account()
    const pay = (accountId: string | null) =>
      bench.write((tx) =>
        tx.receipts.insert(
          newReceipt({ payerAccountId: id, seller: { profileId: 1, did: 'did:web:seller.example', accountId } }),
        ),
      )
    await pay(id)
    assert.equal((await proofsOf(id))?.hasPaid, false)
    const receipt = await pay(randomUUID())
    assert.equal((await proofsOf(id))?.hasPaid, true)
    const receiptId = receipt?.receiptId ?? ''
    const refundedAt = new Date('2026-06-06T06:06:06.006Z')
    await bench.write((tx) =>
      tx.refunds.record({ receiptId, reference: receiptId, reason: null, refundedAt, refundedBy: null }),
    )
    assert.equal((await proofsOf(id))?.hasPaid, false)
    // The seller was erased.
    await pay(null)
    assert.equal((await proofsOf(id))?.hasPaid, true)
  })

  it('counts the last 20 payments only', async () => {
    const { id } = await bench.account()
    const pay = (seller: string, day: number) =>
      bench.write((tx) =>
        tx.receipts.insert(
          newReceipt({
            payerAccountId: id,
            seller: { profileId: 1, did: 'did:web:seller.example', accountId: seller },
            issuedAt: new Date(Date.UTC(2026, 0, day)),
          }),
        ),
      )
    await pay(randomUUID(), 1)
    for (let day = 2; day <= 20; day += 1) await pay(id, day)
    assert.equal((await proofsOf(id))?.hasPaid, true)
    await pay(id, 21)
    assert.equal((await proofsOf(id))?.hasPaid, false)
  })
})
