import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Webhook, WebhookLimits } from '../../ports/storage/webhooks.ts'
import { lockForErasure } from '../erase-account.ts'
import { newMember, newWebhook } from '../records.ts'
import { casesFor, HOUR, MINUTE, ODD_JSON, ODD_TEXT, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'
import { at, createWebhookBench, LIMITS, later } from './webhook-bench.ts'

type Tx = Stores<'webhooks'>

export const webhookCases = casesFor(['webhooks'], (it, bench) => {
  const { inserting, inserted, active, logged, enqueuing, pendingOf, get, claiming, reporting, attemptOf } =
    createWebhookBench(bench)

  it('stores a webhook as it was created', async () => {
    const { id: accountId } = await bench.account()
    const odd = { note: ODD_TEXT.replaceAll('\0', '') }
    for (const changes of [
      {},
      {
        profileId: 7,
        sourceProfileId: 8,
        deliveryFormat: 'binary',
        filter: ODD_JSON,
        maxBatchSize: 500,
        maxBatchWaitMs: 30_000,
        metadata: odd,
        tier: 'gold',
      } as const,
    ]) {
      const webhook = newWebhook(accountId, changes)
      const made = present(await bench.write(inserting(webhook)))
      const expected: Webhook = {
        ...webhook,
        status: 'pending_verification',
        pauseReason: null,
        previousSecret: null,
        previousSecretUntil: null,
        failureCount: 0,
        expiresAt: null,
        missedSince: null,
        pending: 0,
      }
      assert.deepEqual(made, { outcome: 'inserted', webhook: expected })
      assert.deepEqual(await bench.read.webhooks.get(webhook.id), expected)
    }
  })

  it('returns undefined for unknown ids', async () => {
    for (const id of [randomUUID(), '', 'a\0b', "'; --"]) {
      assert.equal(await bench.read.webhooks.get(id), undefined)
      assert.deepEqual(await bench.read.webhooks.listPending(id, 9), [])
      assert.equal((await bench.read.webhooks.listAttempts(id, { limit: 9 })).total, 0)
      assert.equal(await bench.write((tx) => tx.webhooks.update(id, ['active'], { status: 'paused' })), undefined)
      assert.equal(await bench.write((tx) => tx.webhooks.rotateSecret(id, 'next', at)), undefined)
      assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: id, holder: 'a' }, MINUTE)), false)
      assert.deepEqual(await bench.write((tx) => tx.webhooks.redeliver(id, ['0-1-1'], { now: at, maxPending: 9 })), [])
    }
    assert.equal(await bench.write(inserting(newWebhook(randomUUID()))), undefined)
    assert.equal(await bench.write(inserting(newWebhook('no uuid'))), undefined)
    assert.deepEqual((await bench.read.webhooks.listOfAccount('no uuid', { limit: 9 })).items, [])
  })

  it('creates one webhook for a fingerprint of an account, also under concurrent calls', async () => {
    const { id: accountId } = await bench.account()
    const same = () => newWebhook(accountId, { fingerprint: 'the same' })
    const { first, others } = await bench.overlap(inserting(same()), [inserting(same()), inserting(same())])
    assert.deepEqual(
      [first, ...others].map((made) => made?.outcome),
      ['inserted', 'existing', 'existing'],
    )
    const ids = [first, ...others].map((made) => made && 'webhook' in made && made.webhook.id)
    assert.equal(new Set(ids).size, 1)
    const other = await bench.account()
    assert.equal((await inserted(other.id, { fingerprint: 'the same' })).accountId, other.id)
    const webhook = present(await bench.read.webhooks.get(String(ids[0])))
    const endedAt = { status: 'cancelled', endedAt: at } as const
    await bench.write((tx) => tx.webhooks.update(webhook.id, ['pending_verification'], endedAt))
    assert.equal((await bench.write(inserting(same())))?.outcome, 'inserted')
  })

  it('enforces the limits of an account under concurrent calls', async () => {
    const { id } = await bench.account()
    const some = (limits: Partial<WebhookLimits>) => inserting(newWebhook(id), { ...LIMITS, ...limits })
    const { first, others } = await bench.overlap(
      some({ max: 1 }),
      [1, 2, 3, 4].map(() => some({ max: 1 })),
    )
    assert.deepEqual(
      [first, ...others].map((made) => made?.outcome),
      ['inserted', 'too_many', 'too_many', 'too_many', 'too_many'],
    )
    // Ended webhooks count against the daily limit, but not against the limit of the account.
    const [one] = (await bench.read.webhooks.listOfAccount(id, { limit: 9 })).items
    await bench.write((tx) =>
      tx.webhooks.update(present(one).id, ['pending_verification'], { status: 'cancelled', endedAt: at }),
    )
    assert.equal((await bench.write(some({ maxCreated: 1 })))?.outcome, 'too_many_created')
    assert.equal((await bench.write(some({ maxCreated: 1, createdSince: later(1) })))?.outcome, 'inserted')
  })

  it('lists the webhooks of an account newest first, without cancelled ones', async () => {
    const { id } = await bench.account()
    const made: Webhook[] = []
    for (const ms of [1, 3, 2, 3]) made.push(await inserted(id, { createdAt: later(ms) }))
    const cancelled = await inserted(id)
    await bench.write((tx) =>
      tx.webhooks.update(cancelled.id, ['pending_verification'], { status: 'cancelled', endedAt: at }),
    )
    await inserted((await bench.account()).id)
    const list = (page: { limit: number; cursor?: string | undefined }) => bench.read.webhooks.listOfAccount(id, page)
    const all = await readAll(list, 2)
    assert.deepEqual(
      all.map(({ createdAt }) => createdAt),
      [later(3), later(3), later(2), later(1)],
    )
    assert.deepEqual(new Set(all.map((one) => one.id)), new Set(made.map((one) => one.id)))
    await checkCursors(list)
    const bound = await inserted(id, { profileId: 7 })
    const ofProfile = await bench.read.webhooks.listOfAccount(id, { limit: 9 }, { profileId: 7 })
    assert.deepEqual([ofProfile.items, ofProfile.total], [[bound], 1])
    const following = await inserted(id, { sourceProfileId: 8 })
    const ofSource = await bench.read.webhooks.listOfAccount(id, { limit: 9 }, { sourceProfileId: 8 })
    assert.deepEqual([ofSource.items, ofSource.total], [[following], 1])
  })

  it('lets exactly one of many change the status', async () => {
    const webhook = await active()
    const pause = (tx: Tx) => tx.webhooks.update(webhook.id, ['active'], { status: 'paused', pauseReason: 'owner' })
    const { first, others } = await bench.overlap(pause, [pause, pause])
    assert.deepEqual([first?.status, ...others], ['paused', undefined, undefined])
    const after = await bench.overlap(
      (tx) => tx.webhooks.update(webhook.id, ['paused'], { status: 'active', pauseReason: null, failureCount: 0 }),
      [(tx) => tx.webhooks.update(webhook.id, ['paused'], { status: 'cancelled', endedAt: at })],
    )
    assert.deepEqual(after.others, [undefined])
    assert.equal((await get(webhook)).status, 'active')
  })

  it('deletes the secrets and pending deliveries of a webhook that ends', async () => {
    const webhook = await active()
    await bench.write((tx) => tx.webhooks.rotateSecret(webhook.id, 'the second', at))
    await bench.write(enqueuing(webhook, await logged(2)))
    const ended = present(
      await bench.write((tx) => tx.webhooks.update(webhook.id, ['active'], { status: 'cancelled', endedAt: at })),
    )
    assert.deepEqual(
      [ended.secret, ended.previousSecret, ended.previousSecretUntil, ended.pending],
      [null, null, null, 0],
    )
    assert.deepEqual(await pendingOf(webhook), [])
    await bench.write(enqueuing(webhook, await logged(1)))
    assert.deepEqual(await pendingOf(webhook), [])
    assert.equal(await bench.write((tx) => tx.webhooks.rotateSecret(webhook.id, 'the third', at)), undefined)
  })

  it('loses no secret in concurrent rotations', async () => {
    const webhook = await active()
    const rotate = (secret: string) => (tx: Tx) => tx.webhooks.rotateSecret(webhook.id, secret, later(HOUR))
    await bench.overlap(rotate('one'), [rotate('two')])
    const { secret, previousSecret, previousSecretUntil } = await get(webhook)
    assert.deepEqual([secret, previousSecret, previousSecretUntil], ['two', 'one', later(HOUR)])
  })

  it('finds the webhooks of sources, unless they have ended', async () => {
    const [profileId, otherId] = [(await bench.profile()).id, (await bench.profile()).id]
    const [one, paused, ofService] = [
      await active({ sourceProfileId: profileId }),
      await active({ sourceProfileId: profileId }),
      await active({ sourceProfileId: null }),
    ]
    await inserted((await bench.account()).id, { sourceProfileId: profileId })
    const ended = await active({ sourceProfileId: profileId })
    await bench.write((tx) => tx.webhooks.update(paused.id, ['active'], { status: 'paused', pauseReason: 'owner' }))
    await bench.write((tx) => tx.webhooks.update(ended.id, ['active'], { status: 'expired', endedAt: at }))
    const found = async (...sources: (number | null)[]) => bench.read.webhooks.listSubscribers(sources)
    const { id, accountId, sourceProfileId, eventTypes } = one
    const ids = (await found(profileId, otherId)).map((each) => each.id)
    assert.deepEqual(new Set(ids), new Set([one.id, paused.id]))
    assert.deepEqual(
      (await found(profileId)).find((each) => each.id === id),
      { id, accountId, sourceProfileId, eventTypes },
    )
    assert.deepEqual(await found(otherId), [])
    assert.deepEqual(await found(), [])
    assert.ok((await found(null)).some((each) => each.id === ofService.id))
    assert.ok((await found(null, profileId)).some((each) => each.id === one.id))
  })

  it('pauses webhooks whose key is gone, once under concurrent calls, and gives them no events', async () => {
    const { id: accountId } = await bench.account()
    const keyless = await active({}, accountId)
    assert.equal(keyless.apiKeyId, null)
    const [lost, other] = [2_000_000_001, 2_000_000_002]
    const keyed = await active({ apiKeyId: lost, sourceProfileId: 77_001 }, accountId)
    await bench.write((tx: Tx) => tx.webhooks.moveToKey(accountId, { from: lost, to: other }))
    assert.equal((await get(keyed)).apiKeyId, other)
    const calls = Array.from({ length: 3 }, () =>
      bench.write((tx: Tx) => tx.webhooks.pauseOfEndedKeys(later(0), 1_000)),
    )
    const paused = (await Promise.all(calls)).flat().filter((each) => each.accountId === accountId)
    assert.deepEqual(
      paused.map(({ id, status, pauseReason, pending }) => ({ id, status, pauseReason, pending })),
      [{ id: keyed.id, status: 'paused', pauseReason: 'key_ended', pending: 0 }],
    )
    assert.equal((await get(keyless)).status, 'active')
    const sources = await bench.read.webhooks.listSubscribers([77_001])
    assert.equal(
      sources.some(({ id }) => id === keyed.id),
      false,
    )
    const changes = { status: 'active', pauseReason: null, apiKeyId: null } as const
    const resumed = await bench.write((tx: Tx) => tx.webhooks.update(keyed.id, ['paused'], changes))
    assert.deepEqual([resumed?.status, resumed?.apiKeyId], ['active', null])
  })

  it('pauses the webhooks that keys of a former member created for a profile, once under concurrent calls', async () => {
    const { id: accountId } = await bench.account()
    const [sourceProfileId, apiKeyId] = [77_002, 2_000_000_003]
    const lost = await active({ apiKeyId, sourceProfileId }, accountId)
    const others = [
      await active({ apiKeyId: null, sourceProfileId }, accountId),
      await active({ apiKeyId, sourceProfileId: 77_003 }, accountId),
      await active({ apiKeyId, sourceProfileId }),
    ]
    await bench.write(enqueuing(lost, await logged(1)))
    const calls = Array.from({ length: 3 }, () =>
      bench.write((tx: Tx) => tx.webhooks.pauseOfFormerMember(accountId, sourceProfileId)),
    )
    const paused = (await Promise.all(calls)).flat()
    assert.deepEqual(
      paused.map(({ id, status, pauseReason, pending }) => ({ id, status, pauseReason, pending })),
      [{ id: lost.id, status: 'paused', pauseReason: 'key_ended', pending: 0 }],
      'only webhooks of this account and source that depend on a key are paused, and each is returned once',
    )
    assert.deepEqual(await pendingOf(lost), [], 'pending deliveries of a paused webhook are deleted')
    for (const { id } of others) {
      const after = await bench.read.webhooks.get(id)
      assert.equal(after?.status, 'active', 'webhooks without a key, of other sources and of other accounts go on')
    }
    const none = await bench.write((tx: Tx) => tx.webhooks.pauseOfFormerMember('no uuid', sourceProfileId))
    assert.deepEqual(none, [], 'an unknown account has no webhooks')
  })

  it('keeps the webhooks of a present member and of the owner when their removal is reported late', async () => {
    const [profile, { id: member }] = [await bench.profile(), await bench.account()]
    const apiKeyId = 2_000_000_004
    const hasTeams = bench.read.members !== undefined
    if (hasTeams) await bench.write(async (tx) => tx.members?.put(newMember(profile.id, member)))
    for (const accountId of [profile.ownerAccountId, ...(hasTeams ? [member] : [])]) {
      const kept = await active({ apiKeyId, sourceProfileId: profile.id }, accountId)
      assert.deepEqual(await bench.write((tx) => tx.webhooks.pauseOfFormerMember(accountId, profile.id)), [])
      assert.equal((await get(kept)).status, 'active')
    }
  })

  it('ends expired webhooks and announces each end once, also under concurrent calls', async () => {
    const [ending, staying] = [await active(), await active()]
    await bench.write(async (tx) => {
      await tx.webhooks.update(ending.id, ['active'], { expiresAt: later(10), noticeAt: later(5) })
      await tx.webhooks.update(staying.id, ['active'], { expiresAt: later(9_999), noticeAt: later(9_998) })
    })
    const ids = (found: readonly Webhook[] = []) => found.map(({ id }) => id)
    const notices = (tx: Tx) => tx.webhooks.takeNotices(later(5), 10_000)
    const noticed = await bench.overlap(notices, [notices, notices])
    assert.equal(ids(noticed.first).includes(ending.id), true)
    assert.equal(ids(noticed.first).includes(staying.id), false)
    for (const other of noticed.others) assert.equal(ids(other).includes(ending.id), false)
    await bench.write(enqueuing(ending, await logged(1)))
    const expire = (tx: Tx) => tx.webhooks.expire(later(10), 10_000)
    const expired = await bench.overlap(expire, [expire, expire])
    assert.equal(ids(expired.first).includes(ending.id), true)
    for (const other of expired.others) assert.equal(ids(other).includes(ending.id), false)
    const { status, secret, pending } = await get(ending)
    assert.deepEqual([status, secret, pending], ['expired', null, 0])
    assert.equal((await get(staying)).status, 'active')
  })

  it('cancels all webhooks of an account', async () => {
    const { id } = await bench.account()
    const [one, two] = [await active({}, id), await inserted(id)]
    const other = await active()
    assert.equal(await bench.write((tx) => tx.webhooks.cancelOfAccount(id, at)), 2)
    for (const webhook of [one, two]) assert.equal((await get(webhook)).status, 'cancelled')
    assert.equal((await get(other)).status, 'active')
    assert.equal(await bench.write((tx) => tx.webhooks.cancelOfAccount(id, at)), 0)
    assert.equal(await bench.write((tx) => tx.webhooks.cancelOfAccount('no uuid', at)), 0)
  })

  it('deletes old rows, up to the given limit', async () => {
    const long = new Date('2001-01-01T00:00:00Z')
    const [webhook, ended, fresh] = [await active(), await active(), await active()]
    const [event] = (await logged(1)) as [StoredEvent]
    await bench.write(enqueuing(webhook, [event]))
    await bench.write(claiming('one'))
    await bench.write(reporting(webhook, 'one', { attempts: [attemptOf(event, { at: long }), attemptOf(event)] }))
    await bench.write(async (tx) => {
      await tx.webhooks.update(ended.id, ['active'], { status: 'expired', endedAt: long })
      await tx.webhooks.update(fresh.id, ['active'], { status: 'expired', endedAt: at })
    })
    const prune = () => bench.write((tx) => tx.webhooks.prune(new Date(long.getTime() + 1), 100))
    assert.equal(await prune(), 2)
    assert.equal(await prune(), 0)
    assert.equal(await bench.read.webhooks.get(ended.id), undefined)
    assert.equal((await get(fresh)).status, 'expired')
    assert.equal((await bench.read.webhooks.listAttempts(webhook.id, { limit: 9 })).total, 1)
    assert.equal((await pendingOf(webhook)).length, 1)
  })

  it('erases the webhooks of an account and those about its profiles, and no others', async () => {
    const [leaving, staying] = [await bench.profile(), await bench.account()]
    const [own, about, other] = [
      await active({}, leaving.ownerAccountId),
      await active({ sourceProfileId: leaving.id }, staying.id),
      await active({}, staying.id),
    ]
    await bench.write(async (tx) => tx.webhooks.eraseAccount(present(await lockForErasure(tx, leaving.ownerAccountId))))
    assert.deepEqual(
      [await bench.read.webhooks.get(own.id), await bench.read.webhooks.get(about.id)],
      [undefined, undefined],
    )
    assert.equal((await get(other)).status, 'active')
  })

  it('creates no webhook for an account that is being deleted', async () => {
    const { id } = await bench.account()
    const remove = async (tx: Tx) => {
      await tx.accounts.eraseAccount(present(await lockForErasure(tx, id)), [])
    }
    const { others } = await bench.overlap(remove, [inserting(newWebhook(id))])
    assert.deepEqual(others, [undefined])
  })
})
