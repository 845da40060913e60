import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountHolder, emailHolder } from '../../kernel/wallet.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newEntitlement } from '../records.ts'
import { casesFor, HOUR, MINUTE } from './bench.ts'

const fromNow = (ms: number) => new Date(Date.now() + ms)

export const entitlementCases = casesFor([], (it, bench) => {
  it('stores an entitlement as it was granted, with or without an end', async () => {
    const { id } = await bench.profile()
    const forEver = newEntitlement(id)
    const timed = {
      ...forEver,
      id: randomUUID(),
      resourcePattern: 'profile',
      validUntil: fromNow(HOUR),
      receiptId: null,
    }
    for (const entitlement of [forEver, timed]) {
      assert.deepEqual(await bench.write((tx) => tx.entitlements.grant(entitlement)), entitlement)
    }
    const active = await bench.read.entitlements.listActive(forEver)
    assert.equal(active.length, 2)
    const patterns = await bench.read.entitlements.listActivePatterns(forEver)
    const byPattern = (all: readonly { readonly resourcePattern: string; readonly validUntil: Date | null }[]) =>
      Object.fromEntries(all.map(({ resourcePattern, validUntil }) => [resourcePattern, validUntil]))
    assert.deepEqual(byPattern(patterns), byPattern(active))
    for (const entitlement of [forEver, timed]) {
      assert.deepEqual(
        active.find((one) => one.id === entitlement.id),
        entitlement,
      )
    }
  })

  it('keeps the earlier time of two grants, whichever is stored first', async () => {
    const { id } = await bench.profile()
    const late = newEntitlement(id)
    const early = { ...late, id: randomUUID(), createdAt: new Date(late.createdAt.getTime() - MINUTE) }
    for (const grant of [late, early, late]) await bench.write((tx) => tx.entitlements.grant(grant))
    const [stored] = await bench.read.entitlements.listActive(late)
    assert.deepEqual(stored?.createdAt, early.createdAt)
  })

  it('lists only the entitlements of this payer at this profile on this network', async () => {
    const { id } = await bench.profile()
    const held = newEntitlement(id)
    await bench.write((tx) => tx.entitlements.grant(held))
    assert.equal((await bench.read.entitlements.listActive(held)).length, 1)
    for (const other of [
      { ...held, profileId: (await bench.profile()).id },
      { ...held, payerWalletAddress: 'wallet:other' },
      { ...held, payerNetwork: 'cash:other' },
    ]) {
      assert.deepEqual(await bench.read.entitlements.listActive(other), [])
      assert.deepEqual(await bench.read.entitlements.listActivePatterns(other), [])
    }
  })

  it('separates accounts, email addresses and wallets with the same identifier', async () => {
    const { id } = await bench.profile()
    const name = `reader-${randomUUID()}@example.com`
    const holders = [
      accountHolder(name),
      emailHolder(name),
      { payerWalletAddress: name, payerNetwork: 'rail:email' },
      accountHolder(randomUUID()),
    ]
    for (const [at, holder] of holders.entries()) {
      for (const none of holders.slice(at)) {
        assert.deepEqual(await bench.read.entitlements.listActivePatterns({ profileId: id, ...none }), [])
      }
      const held = newEntitlement(id, { ...holder, resourcePattern: `content.${at}` })
      assert.deepEqual(await bench.write((tx) => tx.entitlements.grant(held)), held)
      assert.deepEqual(await bench.read.entitlements.listActive(held), [held])
    }
    assert.deepEqual(emailHolder('Reader@Example.com'), emailHolder('reader@example.com'))
  })

  it('lists no expired entitlement', async () => {
    const { id } = await bench.profile()
    const entitlement = newEntitlement(id, { validUntil: fromNow(-HOUR) })
    await bench.write((tx) => tx.entitlements.grant(entitlement))
    assert.deepEqual(await bench.read.entitlements.listActive(entitlement), [])
    assert.deepEqual(await bench.read.entitlements.listActivePatterns(entitlement), [])
    const soon = { ...entitlement, id: randomUUID(), resourcePattern: 'soon', validUntil: fromNow(200) }
    await bench.write((tx) => tx.entitlements.grant(soon))
    // The clock of the database decides, and it may differ from ours.
    const patience = Date.now() + MINUTE
    while ((await bench.read.entitlements.listActive(soon)).length > 0) {
      assert.ok(Date.now() < patience, 'the entitlement must expire')
      await sleep(50)
    }
  })

  it('keeps the later end when a pattern is bought again', async () => {
    const [past, near, far] = [fromNow(-HOUR), fromNow(HOUR), fromNow(5 * HOUR)]
    for (const [held, bought, kept] of [
      [near, far, far],
      [far, near, far],
      [near, null, null],
      [null, near, null],
      [null, null, null],
      [past, near, near],
      [near, past, near],
    ]) {
      const { id } = await bench.profile()
      const first = newEntitlement(id, { validUntil: held ?? null })
      const second = { ...first, id: randomUUID(), validUntil: bought ?? null, receiptId: 'rcpt_second' }
      await bench.write((tx) => tx.entitlements.grant(first))
      const granted = await bench.write((tx) => tx.entitlements.grant(second))
      assert.deepEqual(granted.validUntil, kept ?? null)
      assert.deepEqual(await bench.read.entitlements.listActive(first), [granted])
    }
  })

  it('keeps one row with the latest end when many are bought concurrently', async () => {
    const { id } = await bench.profile()
    const holder = newEntitlement(id, { validUntil: fromNow(HOUR) })
    await bench.overlap(
      (tx) => tx.entitlements.grant(holder),
      [3, 9, 2].map((hours) => (tx) => {
        const validUntil = new Date(Number(holder.validUntil) + hours * HOUR)
        return tx.entitlements.grant({ ...holder, id: randomUUID(), validUntil })
      }),
    )
    const active = await bench.read.entitlements.listActive(holder)
    assert.equal(active.length, 1)
    assert.equal(Number(active[0]?.validUntil), Number(holder.validUntil) + 9 * HOUR)
  })
})

export const revocationCases = casesFor(['sales'], (it, bench) => {
  it('revokes the entitlements of a receipt for wallet, agent and account, once', async () => {
    const { id } = await bench.profile()
    const { id: accountId } = await bench.account()
    const paid = newEntitlement(id)
    const did = 'did:key:z6MkReader'
    const holders = [paid, accountHolder(accountId), { payerWalletAddress: did, payerNetwork: 'did:key' }]
    const held = holders.map(({ payerWalletAddress, payerNetwork }) => ({
      ...paid,
      id: randomUUID(),
      payerWalletAddress,
      payerNetwork,
    }))
    for (const one of held) await bench.write((tx) => tx.entitlements.grant(one))
    const take = (tx: Stores<'sales'>) => tx.grants.revokeOfReceipt(paid.receiptId ?? '', new Date())
    const { first, others } = await bench.overlap(take, [take, take])
    assert.deepEqual(first?.map(({ taken }) => taken.id).toSorted(), held.map((one) => one.id).toSorted())
    assert.deepEqual(others, [[], []])
    for (const one of held) assert.deepEqual(await bench.read.entitlements.listActive(one), [])
  })
})
