import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountHolder, emailHolder } from '../../kernel/wallet.ts'
import type { ActivePattern } from '../../ports/storage/entitlements.ts'
import { newGrant } from '../records.ts'
import { casesFor, HOUR, MINUTE } from './bench.ts'

const fromNow = (ms: number) => new Date(Date.now() + ms)

export const entitlementCases = casesFor([], (it, bench) => {
  it('stores a grant as it was made, with or without an end, and begins it immediately by default', async () => {
    const { id } = await bench.profile()
    const forEver = newGrant(id)
    const timed = {
      ...forEver,
      id: randomUUID(),
      resourcePattern: 'profile',
      validUntil: fromNow(HOUR),
      receiptId: null,
      reason: 'hand',
      startsAt: fromNow(-HOUR),
      audience: { type: 'x-audience', any_of: ['people'], none_of: ['browsers'] },
    } as const
    for (const grant of [forEver, timed]) {
      const { startsAt, ...stored } = await bench.write((tx) => tx.entitlements.grant(grant))
      assert.deepEqual({ ...stored, startsAt }, { audience: null, startsAt, ...grant })
    }
    const active = await bench.read.entitlements.listActive(forEver)
    assert.equal(active.length, 2)
    const patterns = await bench.read.entitlements.listActivePatterns(forEver)
    const byPattern = (all: readonly ActivePattern[]) =>
      Object.fromEntries(all.map(({ resourcePattern, ...one }) => [resourcePattern, [one.validUntil, one.audience]]))
    assert.deepEqual(byPattern(patterns), byPattern(active))
  })

  it('lists only the entitlements of this payer at this profile on this network', async () => {
    const { id } = await bench.profile()
    const held = newGrant(id)
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
      const held = newGrant(id, { ...holder, resourcePattern: `content.${at}` })
      const stored = await bench.write((tx) => tx.entitlements.grant(held))
      assert.deepEqual(await bench.read.entitlements.listActive(held), [stored])
    }
    assert.deepEqual(emailHolder('Reader@Example.com'), emailHolder('reader@example.com'))
  })

  it('lists no expired entitlement', async () => {
    const { id } = await bench.profile()
    const entitlement = newGrant(id, { validUntil: fromNow(-HOUR) })
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
      const first = newGrant(id, { validUntil: held ?? null })
      const second = { ...first, id: randomUUID(), validUntil: bought ?? null, receiptId: 'rcpt_second' }
      for (const grant of [first, second]) await bench.write((tx) => tx.entitlements.grant(grant))
      assert.deepEqual(
        (await bench.read.entitlements.listActivePatterns(first)).map(({ validUntil }) => validUntil),
        [kept ?? null],
      )
    }
  })

  it('shows one pattern with the latest end when many are bought concurrently', async () => {
    const { id } = await bench.profile()
    const holder = newGrant(id, { validUntil: fromNow(HOUR) })
    await bench.overlap(
      (tx) => tx.entitlements.grant(holder),
      [3, 9, 2].map((hours) => (tx) => {
        const validUntil = new Date(Number(holder.validUntil) + hours * HOUR)
        return tx.entitlements.grant({ ...holder, id: randomUUID(), validUntil })
      }),
    )
    const active = await bench.read.entitlements.listActivePatterns(holder)
    assert.equal(active.length, 1)
    assert.equal(Number(active[0]?.validUntil), Number(holder.validUntil) + 9 * HOUR)
    assert.equal((await bench.read.entitlements.listActive(holder)).length, 4)
  })
})
