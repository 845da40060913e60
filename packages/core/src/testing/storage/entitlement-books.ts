import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { PageRequest } from '../../kernel/page.ts'
import type { ReceiptWithRefund } from '../../ports/storage/payments.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newGrant, newPurchase, newReceipt, newSettlement } from '../records.ts'
import { casesFor, HOUR } from './bench.ts'

const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 0, 0, second))

/** How sellers manage the entitlements of payers. */
export const entitlementBookCases = casesFor(['openPurchases', 'sales'], (it, bench) => {
  it('ends a grant once, and an ended grant opens nothing', async () => {
    const { id: profileId } = await bench.profile()
    const held = await bench.write((tx) => tx.entitlements.grant(newGrant(profileId)))
    const { first, others } = await bench.overlap(
      (tx) => tx.grants.end(held.id, at(1)),
      [(tx) => tx.grants.end(held.id, at(2)), (tx) => tx.grants.end(held.id, at(3))],
    )
    const ended = { ...held, suspendedAt: null, revokedAt: at(1) }
    assert.deepEqual(first, [ended])
    assert.deepEqual(others, [[], []])
    assert.deepEqual(await bench.read.grants.get(held.id), ended)
    assert.deepEqual(await bench.read.entitlements.listActive(held), [])
    assert.deepEqual(await bench.read.entitlements.listActivePatterns(held), [])
  })

  it('finds the purchases of buyers by any holder, until they end or are revoked', async () => {
    const [here, elsewhere] = [await bench.profile(), await bench.profile()]
    const [buyer, earlier, otherBuyer] = [freshName('b'), freshName('b'), freshName('b')]
    const end = new Date(Date.now() + HOUR)
    const sell = async (profileId: number, by: string | undefined, second: number, validUntil: Date | null = null) => {
      const purchase = newPurchase({ profileId })
      const receiptId = freshName('rcpt')
      const { id } = await bench.claim({ purchase, createdAt: at(second) })
      const settlement = newSettlement()
      const settled = await bench.write((tx) => tx.payments.settle(id, { receiptId, settlement, buyer: by }))
      assert.equal(settled?.buyer, by ?? null)
      const held = newGrant(profileId, { receiptId, validUntil, payerWalletAddress: freshName('w') })
      await bench.write((tx) => tx.entitlements.grant(held))
      return { receiptId, purchase, validUntil, held }
    }
    const first = await sell(here.id, buyer, 1)
    const timed = await sell(here.id, earlier, 2, end)
    const far = await sell(elsewhere.id, buyer, 3)
    await sell(here.id, otherBuyer, 4)
    await sell(here.id, undefined, 5)
    await sell(here.id, buyer, 6, new Date(Date.now() - HOUR))
    // Another holder has the same purchase for longer.
    const account = { ...timed.held, id: randomUUID(), payerNetwork: 'account', validUntil: null }
    await bench.write((tx) => tx.entitlements.grant(account))

    const buyers = [buyer, earlier]
    const open = (one: typeof first, validUntil = one.validUntil) => ({
      receiptId: one.receiptId,
      purchase: one.purchase,
      validUntil,
    })
    const all = [open(far), open(timed, null), open(first)]
    assert.deepEqual(await bench.read.openPurchases.list(buyers, 10), all)
    assert.deepEqual(await bench.read.openPurchases.list(buyers, 2), all.slice(0, 2))
    const endsAt = async (profileId: number, by: readonly string[] = buyers) =>
      (await bench.read.entitlements.listActivePatterns({ profileId, buyers: by }))
        .map(({ resourcePattern, validUntil }) => `${resourcePattern} ${validUntil?.getTime() ?? 'permanent'}`)
        .sort()
    const { resourcePattern } = first.held
    const permanent = `${resourcePattern} permanent`
    assert.deepEqual(await endsAt(here.id), [`${resourcePattern} ${end.getTime()}`, permanent, permanent])
    assert.deepEqual(await endsAt(elsewhere.id), [permanent])
    for (const unknown of [[], ['unknown'], ['a\0b']]) {
      assert.deepEqual(await endsAt(here.id, unknown), [])
      assert.deepEqual(await bench.read.openPurchases.list(unknown, 10), [])
    }

    await bench.write((tx) => tx.grants.endOfReceipt(timed.receiptId, at(9)))
    assert.deepEqual(await endsAt(here.id), [permanent])
    assert.deepEqual(await bench.read.openPurchases.list(buyers, 10), [open(far), open(first)])
  })

  it('opens again what was ended when it is granted again, even for a shorter time', async () => {
    const { id: profileId } = await bench.profile()
    const held = newGrant(profileId, { validUntil: null })
    await bench.write((tx) => tx.entitlements.grant(held))
    await bench.write((tx) => tx.grants.end(held.id, at(1)))
    const end = new Date(Date.now() + HOUR)
    const again = { ...held, id: randomUUID(), receiptId: 'rcpt_again', validUntil: end, createdAt: at(5) }
    const stored = await bench.write((tx) => tx.entitlements.grant(again))
    assert.deepEqual(await bench.read.entitlements.listActive(held), [stored])
    assert.deepEqual((await bench.read.grants.get(held.id))?.revokedAt, at(1))
  })

  it('lists the grants of a profile, newest first, in pages, all or only active ones', async () => {
    const { id: profileId } = await bench.profile()
    const [old, over, young] = [
      newGrant(profileId, { createdAt: at(1), payerWalletAddress: 'wallet:old' }),
      newGrant(profileId, { createdAt: at(2), validUntil: new Date(Date.now() - HOUR) }),
      newGrant(profileId, { createdAt: at(3) }),
    ]
    const other = await bench.profile()
    await bench.write((tx) => tx.entitlements.grant(newGrant(other.id)))
    for (const one of [young, old, over]) await bench.write((tx) => tx.entitlements.grant(one))
    const list = (query: object, page: PageRequest = { limit: 2 }) =>
      bench.read.grants.list({ profileId, ...query }, page)
    const ids = (page: Awaited<ReturnType<typeof list>>) => page.items.map(({ id }) => id)
    const first = await list({})
    assert.deepEqual([ids(first), first.total], [[young.id, over.id], 3])
    assert.deepEqual(ids(await list({}, { limit: 2, cursor: first.nextCursor })), [old.id])
    assert.deepEqual(ids(await list({ active: true })), [young.id, old.id])
    assert.deepEqual(ids(await list({ payerWalletAddress: 'wallet:old' })), [old.id])
  })

  it('records the refund of a receipt once', async () => {
    const receipt = newReceipt()
    await bench.write((tx) => tx.receipts.insert(receipt))
    const refund = (reference: string) => ({
      receiptId: receipt.receiptId,
      reference,
      reason: null,
      refundedAt: at(1),
      refundedBy: null,
    })
    assert.equal(await bench.read.refunds.get(receipt.receiptId), undefined)
    const { first, others } = await bench.overlap(
      (tx) => tx.refunds.record(refund('first')),
      [(tx) => tx.refunds.record(refund('second')), (tx) => tx.refunds.record(refund('third'))],
    )
    assert.deepEqual([first, ...others], [refund('first'), undefined, undefined])
    assert.deepEqual(await bench.read.refunds.get(receipt.receiptId), refund('first'))
    assert.equal(await bench.write((tx) => tx.refunds.record({ ...refund('x'), receiptId: 'rcpt_none' })), undefined)
  })

  it('confirms one refund by one transfer when two receipts claim it concurrently', async () => {
    const [one, other] = [newReceipt(), newReceipt()]
    for (const receipt of [one, other]) await bench.write((tx) => tx.receipts.insert(receipt))
    const proofKey = `eip155:1|${freshName()}`
    const refund =
      ({ receiptId }: typeof one) =>
      (tx: Stores<'sales'>) =>
        tx.refunds.record({ receiptId, reference: 'x', reason: null, refundedAt: at(1), refundedBy: null, proofKey })
    const { first, others } = await bench.overlap(refund(one), [refund(other)])
    assert.deepEqual([first?.receiptId, others], [one.receiptId, [undefined]])
    assert.equal(await bench.read.refunds.get(other.receiptId), undefined)
  })

  it('keeps the latest claim of a refund until it is recorded or dropped, and leases it to one checker', async () => {
    const receipt = newReceipt()
    const { receiptId } = receipt
    await bench.write((tx) => tx.receipts.insert(receipt))
    const claim = (reference: string) => ({ receiptId, reference, reason: null, claimedAt: at(1), claimedBy: null })
    const take = async (tx: Stores<'sales'>) =>
      (await tx.refunds.takeClaims(1_000)).filter((one) => one.receiptId === receiptId)

    assert.equal(await bench.write((tx) => tx.refunds.claim({ ...claim('x'), receiptId: 'rcpt_none' })), undefined)
    await bench.write((tx) => tx.refunds.claim(claim('first')))
    assert.deepEqual(await bench.write((tx) => tx.refunds.claim(claim('second'))), claim('second'))
    assert.deepEqual(await bench.read.refunds.getClaim(receiptId), claim('second'))
    assert.equal(await bench.read.refunds.get(receiptId), undefined)

    const { first, others } = await bench.overlap(take, [take])
    assert.deepEqual([first, others], [[claim('second')], [[]]])
    assert.deepEqual(await bench.write(take), [])

    assert.equal(await bench.write((tx) => tx.refunds.dropClaim(receiptId, 'first')), false)
    assert.equal(await bench.write((tx) => tx.refunds.dropClaim(receiptId, 'second')), true)
    assert.equal(await bench.read.refunds.getClaim(receiptId), undefined)

    await bench.write((tx) => tx.refunds.claim(claim('third')))
    const refund = { receiptId, reference: 'third', reason: null, refundedAt: at(2), refundedBy: null }
    assert.deepEqual(await bench.write((tx) => tx.refunds.record(refund)), refund)
    assert.equal(await bench.read.refunds.getClaim(receiptId), undefined)
    assert.equal(await bench.write((tx) => tx.refunds.claim(claim('late'))), undefined)
  })

  it('lists refunds and claims of all sellers in pages, the latest first', async () => {
    const receipts = Array.from({ length: 5 }, () => newReceipt())
    const [old, tied, young, refunded, back] = receipts.map(({ receiptId }) => receiptId)
    // Later than those of other cases.
    const when = (minutes: number) => new Date(Date.UTC(2999, 0, 1, 0, minutes))
    const kept = { reference: 'x', reason: null }
    await bench.write(async (tx) => {
      for (const receipt of receipts) await tx.receipts.insert(receipt)
      for (const [receiptId = '', minutes] of [
        [old, 1],
        [tied, 2],
        [young, 2],
      ] as const)
        await tx.refunds.claim({ receiptId, ...kept, claimedAt: when(minutes), claimedBy: null })
      for (const [receiptId = '', minutes] of [
        [refunded, 3],
        [back, 4],
      ] as const)
        await tx.refunds.record({ receiptId, ...kept, refundedAt: when(minutes), refundedBy: null })
    })
    const ids = receipts.map(({ receiptId }) => receiptId)
    const all = async (state: 'claimed' | 'refunded') => {
      const found: ReceiptWithRefund[] = []
      let cursor: string | undefined
      do {
        const page = await bench.read.refunds.list(state, { limit: 2, cursor })
        assert.ok(page.total >= page.items.length)
        found.push(...page.items.filter(({ receiptId }) => ids.includes(receiptId)))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return found
    }
    const claimed = await all('claimed')
    assert.deepEqual(
      claimed.map(({ receiptId }) => receiptId),
      [...[tied, young].sort(), old],
    )
    assert.deepEqual(claimed[2]?.refundClaim?.claimedAt, when(1))
    const recorded = await all('refunded')
    assert.deepEqual(
      recorded.map(({ receiptId, refund }) => [receiptId, refund?.refundedAt]),
      [
        [back, when(4)],
        [refunded, when(3)],
      ],
    )
  })

  it('lists and sums the sales of a profile in a period', async () => {
    const { id: profileId } = await bench.profile()
    const seller = { profileId, did: 'did:web:seller.example', accountId: null }
    const sale = (second: number, atomic: string, commissionBps: number) =>
      newReceipt({
        seller,
        commissionBps,
        issuedAt: at(second),
        amount: { atomic, decimal: '1', asset: 'coin', currency: 'usdc' },
        rail: 'cash',
        settlement: { reference: 'r', transaction: null, network: 'cash:test' },
      })
    const sales = [sale(1, '999', 1000), sale(2, '100000000000000000000', 500), sale(3, '50', 1000)]
    for (const one of [...sales, newReceipt()]) await bench.write((tx) => tx.receipts.insert(one))
    const [first, second, third] = sales.map(({ receiptId }) => receiptId) as [string, string, string]
    await bench.write((tx) =>
      tx.refunds.record({ receiptId: third, reference: 'x', reason: null, refundedAt: at(9), refundedBy: null }),
    )
    const page = await bench.read.sales.list({ profileIds: [profileId] }, { limit: 2 })
    assert.deepEqual([page.items.map((one) => one.receiptId), page.total], [[third, second], 3])
    assert.deepEqual(
      page.items.map(({ refund }) => refund?.reference),
      ['x', undefined],
    )
    // Neither a payment nor an account of these sales is stored.
    assert.deepEqual(
      page.items.map(({ title, customer }) => [title, customer.username]),
      [
        [null, null],
        [null, null],
      ],
    )
    const early = await bench.read.sales.list({ profileIds: [profileId], from: at(1), to: at(2) }, { limit: 2 })
    assert.deepEqual(
      early.items.map((one) => one.receiptId),
      [first],
    )
    assert.deepEqual(await bench.read.sales.sum({ profileIds: [profileId] }), [
      {
        rail: 'cash',
        network: 'cash:test',
        asset: 'coin',
        currency: 'usdc',
        sales: 3,
        gross: '100000000000000001049',
        refunds: 1,
        refunded: '50',
        commission: '5000000000000000099',
      },
    ])
    assert.deepEqual(await bench.read.sales.sum({ profileIds: [profileId], from: at(60) }), [])
  })
})
