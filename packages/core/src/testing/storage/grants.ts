import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountHolder } from '../../kernel/wallet.ts'
import type { NewGrant } from '../../ports/storage/entitlements.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newGrant } from '../records.ts'
import { casesFor, HOUR, MINUTE, present } from './bench.ts'

type Work<Result> = (tx: Stores<'sales'>) => Promise<Result>

const now = new Date()
const hours = (count: number) => new Date(now.getTime() + count * HOUR)
const BOTS = { type: 'x-audience', any_of: ['unverified', 'verified_bots'] } as const

/** What one receipt, manual grant or trial gives, beside others of the same holder and pattern. */
export const grantCases = casesFor(['sales'], (it, bench) => {
  /** A new holder at a new profile, functions that grant to it, and the patterns that it can read. */
  async function holder() {
    const { id: profileId } = await bench.profile()
    const base = newGrant(profileId)
    const { payerWalletAddress, payerNetwork } = base
    const of = { profileId, payerWalletAddress, payerNetwork }
    const next = (changes: Partial<NewGrant> = {}) => newGrant(profileId, { ...of, ...changes })
    const grant = async (changes: Partial<NewGrant> = {}) => {
      const one = next(changes)
      await bench.write((tx) => tx.entitlements.grant(one))
      return { ...one, receiptId: one.receiptId ?? '' }
    }
    /** The hours from now until which each pattern is open. */
    const open = async () =>
      (await bench.read.entitlements.listActivePatterns(of)).map(({ validUntil }) =>
        validUntil === null ? 'permanent' : (validUntil.getTime() - now.getTime()) / HOUR,
      )
    return { of, next, grant, open }
  }
  const refund = (receiptId: string) => bench.write((tx) => tx.grants.endOfReceipt(receiptId, now))

  it('keeps the month when the year that was bought beside it is refunded, in both orders', async () => {
    for (const order of [
      [30 * 24, 365 * 24],
      [365 * 24, 30 * 24],
    ]) {
      const { grant, open } = await holder()
      const bought = []
      for (const end of order) bought.push(await grant({ validUntil: hours(end) }))
      assert.deepEqual(await open(), [365 * 24])
      const year = present(bought.find(({ validUntil }) => validUntil?.getTime() === hours(365 * 24).getTime()))
      const ended = await refund(year.receiptId)
      assert.deepEqual(
        ended.map(({ id, revokedAt }) => ({ id, revokedAt })),
        [{ id: year.id, revokedAt: now }],
      )
      assert.deepEqual(await open(), [30 * 24])
    }
  })

  it('keeps the later invoice when the earlier of two is refunded, and the reverse', async () => {
    for (const refunded of [0, 1]) {
      const { grant, open } = await holder()
      const first = await grant({ startsAt: hours(-10), validUntil: hours(2) })
      const second = await grant({ startsAt: hours(2), validUntil: hours(4) })
      assert.deepEqual(await open(), [4])
      await refund(present([first, second][refunded]).receiptId)
      // Without the first, the second has not begun.
      assert.deepEqual(await open(), refunded === 0 ? [] : [2])
    }
    const { grant, open } = await holder()
    const earlier = await grant({ startsAt: hours(-10), validUntil: hours(2) })
    await grant({ startsAt: hours(-1), validUntil: hours(4) })
    await refund(earlier.receiptId)
    assert.deepEqual(await open(), [4])
  })

  it('suspends the disputed one of two receipts, and extends it by that time when it is resumed', async () => {
    const { of, grant, open } = await holder()
    const [short, long] = [await grant({ validUntil: hours(2) }), await grant({ validUntil: hours(9) })]
    const suspend: Work<number> = async (tx) => (await tx.grants.suspendOfReceipt(long.receiptId, hours(1))).length
    const { first, others } = await bench.overlap(suspend, [suspend, suspend])
    assert.deepEqual([first, ...others], [1, 0, 0])
    assert.deepEqual(await open(), [2])
    assert.deepEqual((await bench.read.grants.get(long.id))?.suspendedAt, hours(1))
    assert.deepEqual(
      (await bench.read.entitlements.listActive(of)).map(({ id }) => id),
      [short.id],
    )
    const resume: Work<number> = async (tx) => (await tx.grants.resumeOfReceipt(long.receiptId, hours(4))).length
    const resumed = await bench.overlap(resume, [resume])
    assert.deepEqual([resumed.first, ...resumed.others], [1, 0])
    assert.deepEqual(await open(), [12])
    assert.deepEqual(await bench.write((tx) => tx.grants.resumeOfReceipt(short.receiptId, now)), [])
    await bench.write((tx) => tx.grants.suspendOfReceipt(long.receiptId, now))
    await refund(long.receiptId)
    assert.deepEqual(await bench.write((tx) => tx.grants.resumeOfReceipt(long.receiptId, now)), [])
    assert.deepEqual(await open(), [2])
  })

  it('moves no time that a suspended grant had not begun, and keeps one without an end', async () => {
    const { grant } = await holder()
    const [later, lasting] = [await grant({ startsAt: hours(5), validUntil: hours(9) }), await grant()]
    for (const { receiptId } of [later, lasting]) {
      await bench.write((tx) => tx.grants.suspendOfReceipt(receiptId, hours(1)))
      await bench.write((tx) => tx.grants.resumeOfReceipt(receiptId, hours(6)))
    }
    assert.deepEqual((await bench.read.grants.get(later.id))?.validUntil, hours(10))
    assert.equal((await bench.read.grants.get(lasting.id))?.validUntil, null)
  })

  it('restores the grants of a receipt that ended at a time, without the time since they were suspended', async () => {
    const { grant, open } = await holder()
    const made = await grant({ validUntil: hours(9) })
    const { receiptId } = made
    const restore = (endedAt: Date) => bench.write((tx) => tx.grants.restoreOfReceipt(receiptId, endedAt, hours(6)))
    await bench.write((tx) => tx.grants.suspendOfReceipt(receiptId, hours(1)))
    await bench.write((tx) => tx.grants.endOfReceipt(receiptId, hours(3)))
    assert.deepEqual([await restore(hours(2)), await open()], [[], []])
    assert.equal((await restore(hours(3))).length, 1)
    assert.deepEqual([await restore(hours(3)), await open()], [[], [14]])
  })

  it('keeps purchases for everyone and for an audience apart, in both orders', async () => {
    for (const audiences of [
      [null, BOTS],
      [BOTS, null],
    ]) {
      const { of, grant } = await holder()
      const bought = []
      for (const audience of audiences) {
        bought.push(await grant({ audience, validUntil: audience === null ? hours(9) : hours(2) }))
      }
      const open = async () =>
        (await bench.read.entitlements.listActivePatterns(of))
          .map(({ audience, validUntil }) => ({ audience, validUntil }))
          .sort((left) => (left.audience ? 1 : -1))
      const [everyone, bots] = [
        { audience: null, validUntil: hours(9) },
        { audience: BOTS, validUntil: hours(2) },
      ]
      assert.deepEqual(await open(), [everyone, bots])
      const ofBots = present(bought.find(({ audience }) => audience !== null))
      await refund(ofBots.receiptId)
      assert.deepEqual(await open(), [everyone])
      assert.deepEqual((await bench.read.grants.get(ofBots.id))?.audience, BOTS)
    }
  })

  it('counts an audience once, in whichever order its values are written', async () => {
    const { of, grant } = await holder()
    await grant({ audience: BOTS, validUntil: hours(1) })
    await grant({ audience: { ...BOTS, any_of: BOTS.any_of.toReversed(), none_of: [] }, validUntil: hours(3) })
    const [only, ...others] = await bench.read.entitlements.listActivePatterns(of)
    assert.deepEqual([only?.validUntil, others], [hours(3), []])
  })

  it('stores, joins and ends grants of the longest pattern for the longest audience', async () => {
    // Random, so that a database cannot compress them.
    const agents = () =>
      Array.from({ length: 20 }, () => `agent:https://a.example/${randomBytes(366).toString('base64url')}`)
    const audience = { type: 'x-audience', any_of: agents(), none_of: agents() } as const
    assert.equal(audience.any_of[0]?.length, 512)
    const resourcePattern = `content.${randomBytes(251).toString('hex')}.*`
    assert.equal(resourcePattern.length, 512)
    const { of, grant } = await holder()
    const agent = { payerWalletAddress: `did:web:${randomBytes(252).toString('hex')}`, payerNetwork: 'did:web' }
    const changes = { resourcePattern, audience, ...agent }
    const end = async () => {
      const patterns = await bench.read.entitlements.listActivePatterns({ ...of, ...agent })
      return patterns.map((one) => [one.validUntil, new Set(one.audience?.any_of)])
    }
    await grant({ ...changes, validUntil: hours(2) })
    const { receiptId } = await grant({ ...changes, validUntil: hours(9) })
    // One value differs.
    const nearly = { ...audience, none_of: audience.none_of.slice(1) }
    await grant({ ...changes, audience: nearly, receiptId, validUntil: hours(5) })
    assert.equal((await end()).length, 2)
    assert.equal((await refund(receiptId)).length, 2)
    assert.deepEqual(await end(), [[hours(2), new Set(audience.any_of)]])
  })

  it('keeps a manual grant beside a purchase, and each of them when the other ends', async () => {
    for (const ends of ['gift', 'purchase']) {
      const { grant, open } = await holder()
      const paid = await grant({ validUntil: hours(5), tier: 'patron' })
      const gift = await grant({ receiptId: null, validUntil: hours(7) })
      assert.deepEqual(await open(), [7])
      if (ends === 'gift') await bench.write((tx) => tx.grants.end(gift.id, now))
      else await refund(paid.receiptId)
      assert.deepEqual(await open(), [ends === 'gift' ? 5 : 7])
    }
  })

  it('ends the patterns of a bundle with its receipt, and no pattern that another receipt opens', async () => {
    const { of, grant, open } = await holder()
    const receiptId = freshName('rcpt')
    for (const resourcePattern of ['content.a', 'content.b']) await grant({ receiptId, resourcePattern })
    await grant({ resourcePattern: 'content.b', validUntil: hours(3) })
    assert.equal((await refund(receiptId)).length, 2)
    assert.deepEqual(
      (await bench.read.entitlements.listActivePatterns(of)).map(({ resourcePattern }) => resourcePattern),
      ['content.b'],
    )
    assert.deepEqual(await open(), [3])
  })

  it('joins grants without a gap, however many and in whatever order they are stored', async () => {
    const spans = [
      [-1, 2],
      [2, 3],
      [3, 4],
      [3.5, 6],
      [7, 9],
    ] as const
    for (const order of [spans, spans.toReversed(), [spans[3], spans[0], spans[4], spans[2], spans[1]]]) {
      const { grant, open } = await holder()
      for (const [start, end] of order) await grant({ startsAt: hours(start), validUntil: hours(end) })
      assert.deepEqual(await open(), [6])
    }
    const { grant, open } = await holder()
    await grant({ startsAt: hours(-1), validUntil: hours(2) })
    await grant({ startsAt: hours(1), validUntil: null })
    assert.deepEqual(await open(), ['permanent'])
  })

  it('opens nothing by grants that ended, or that begin later', async () => {
    const { grant, open } = await holder()
    await grant({ startsAt: hours(-3), validUntil: hours(-1) })
    await grant({ startsAt: hours(1), validUntil: null })
    assert.deepEqual(await open(), [])
  })

  it('counts a grant that begins after a gap when it begins, once', async () => {
    const soon = () => new Date(Date.now() + 300)
    const { of, grant } = await holder()
    const startsAt = soon()
    await grant({ startsAt, validUntil: hours(5) })
    const patterns = () => bench.read.entitlements.listActivePatterns(of)
    const take: Work<number> = (tx) => tx.grants.takeDueGrants(100)
    assert.deepEqual(await patterns(), [])
    const patience = Date.now() + MINUTE
    while ((await bench.read.entitlements.listActive(of)).length === 0) {
      assert.ok(Date.now() < patience, 'the grant must begin')
      await sleep(50)
    }
    // Others may leave grants that begin: what matters is that this one is not lost, by any caller.
    await bench.overlap(take, [take, take])
    assert.deepEqual(
      (await patterns()).map(({ validUntil }) => validUntil),
      [hours(5)],
    )
    assert.equal(await bench.write(take), 0)
  })

  it('counts no grant that was ended before it began', async () => {
    const { of, grant } = await holder()
    const { receiptId } = await grant({ startsAt: new Date(Date.now() + 100), validUntil: hours(5) })
    await refund(receiptId)
    await sleep(250)
    await bench.write((tx) => tx.grants.takeDueGrants(100))
    assert.deepEqual(await bench.read.entitlements.listActivePatterns(of), [])
  })

  it('loses no grant that is stored during the refund of another', async () => {
    for (const isRefundFirst of [true, false]) {
      const { next, grant, open } = await holder()
      const { receiptId } = await grant({ validUntil: hours(9) })
      const end: Work<unknown> = (tx) => tx.grants.endOfReceipt(receiptId, now)
      const buy: Work<unknown> = (tx) => tx.entitlements.grant(next({ validUntil: hours(4) }))
      await bench.overlap(isRefundFirst ? end : buy, [isRefundFirst ? buy : end])
      assert.deepEqual(await open(), [4])
    }
  })

  it('ends both of two receipts that are refunded concurrently', async () => {
    const { grant, open } = await holder()
    const [one, other] = [await grant({ validUntil: hours(9) }), await grant({ validUntil: hours(4) })]
    await bench.overlap(
      (tx) => tx.grants.endOfReceipt(one.receiptId, now),
      [(tx) => tx.grants.endOfReceipt(other.receiptId, now)],
    )
    assert.deepEqual(await open(), [])
  })

  it('ends a purchase for its wallet, agent and account by any of its grants, once', async () => {
    const { grant, open } = await holder()
    const { id: accountId } = await bench.account()
    const paid = await grant()
    const { receiptId, resourcePattern } = paid
    const account = await grant({ ...accountHolder(accountId), receiptId })
    const other = await grant({ receiptId, resourcePattern: 'content.other' })
    const end: Work<readonly string[]> = async (tx) => (await tx.grants.end(account.id, now)).map(({ id }) => id)
    const { first, others } = await bench.overlap(end, [end])
    assert.deepEqual(first?.toSorted(), [paid.id, account.id].toSorted())
    assert.deepEqual(others, [[]])
    assert.deepEqual(await open(), ['permanent'])
    assert.equal((await bench.read.grants.get(other.id))?.revokedAt, null)
    assert.equal(resourcePattern, 'content.notes.*')
    for (const unknown of [randomUUID(), 'no uuid']) {
      assert.deepEqual(await bench.write((tx) => tx.grants.end(unknown, now)), [])
    }
    for (const unknown of ['rcpt_unknown', '\0']) assert.deepEqual(await refund(unknown), [])
  })
})
