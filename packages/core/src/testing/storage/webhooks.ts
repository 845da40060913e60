import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type {
  DeliveryReport,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookLimits,
} from '../../ports/storage/webhooks.ts'
import { lockForErasure } from '../erase-account.ts'
import { newEvent, newWebhook } from '../records.ts'
import { casesFor, HOUR, leaseRunsOut, MINUTE, ODD_JSON, ODD_TEXT, present, SHORT_LEASE } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

const at = new Date('2026-03-04T05:06:07.008Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const LIMITS: WebhookLimits = { max: 50, maxCreated: 100, createdSince: later(-HOUR) }
const REPORT: DeliveryReport = { attempts: [], settled: [], dropped: [], failures: 'keep' }
/** Later than every webhook of the cases is due. */
const DUE = later(HOUR)

export const webhookCases = casesFor(['webhooks'], (it, bench) => {
  type Tx = Stores<'webhooks'>
  const inserting =
    (webhook: NewWebhook, limits = LIMITS) =>
    (tx: Tx) =>
      tx.webhooks.insert(webhook, limits)
  const inserted = async (accountId: string, changes: Partial<NewWebhook> = {}): Promise<Webhook> => {
    const made = present(await bench.write(inserting(newWebhook(accountId, changes))))
    assert.equal(made.outcome, 'inserted')
    return (made as Extract<typeof made, { webhook: Webhook }>).webhook
  }
  const activate = async ({ id }: Webhook): Promise<Webhook> => {
    const changes = { status: 'active', expiresAt: later(100 * HOUR) } as const
    return present(await bench.write((tx) => tx.webhooks.update(id, ['pending_verification'], changes)))
  }
  const active = async (changes: Partial<NewWebhook> = {}, accountId?: string): Promise<Webhook> =>
    activate(await inserted(accountId ?? (await bench.account()).id, changes))
  /** Events of a profile in the log, in their order. */
  const logged = async (count: number, profileId: number | null = null, when = at): Promise<readonly StoredEvent[]> => {
    const start = await bench.endOfLog()
    const events = Array.from({ length: count }, () => newEvent({ profileId, at: when }))
    await bench.write((tx) => tx.events.append(events))
    const ids = new Set(events.map(({ id }) => id))
    return (await bench.events(start)).filter(({ id }) => ids.has(id))
  }
  const enqueuing =
    (webhook: Webhook, events: readonly StoredEvent[], maxPending = 1_000, now = at) =>
    (tx: Tx) =>
      tx.webhooks.enqueue(
        events.map(({ cursor }) => ({ webhookId: webhook.id, cursor })),
        { now, maxPending },
      )
  const pendingOf = ({ id }: Webhook) => bench.read.webhooks.listPending(id, 100)
  const cursorsOf = async (webhook: Webhook) => (await pendingOf(webhook)).map(({ cursor }) => cursor)
  const get = async ({ id }: Webhook) => present(await bench.read.webhooks.get(id))
  const claiming =
    (holder: string, now = DUE, leaseMs = MINUTE) =>
    async (tx: Tx) =>
      (await tx.webhooks.claim(holder, { now, limit: 10_000, leaseMs })).map(({ id }) => id)
  const reporting =
    ({ id }: Webhook, holder: string, report: Partial<DeliveryReport>) =>
    (tx: Tx) =>
      tx.webhooks.report({ webhookId: id, holder }, { ...REPORT, ...report }, MINUTE)
  const attemptOf = ({ cursor }: StoredEvent, changes: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
    cursor,
    attempt: 1,
    at,
    statusCode: 204,
    responseTimeMs: 12,
    outcome: 'delivered',
    error: null,
    ...changes,
  })

  it('keeps a webhook as it was made', async () => {
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

  it('finds nothing under an id that no webhook has', async () => {
    for (const id of [randomUUID(), '', 'a\0b', "'; --"]) {
      assert.equal(await bench.read.webhooks.get(id), undefined)
      assert.deepEqual(await bench.read.webhooks.listPending(id, 9), [])
      assert.equal((await bench.read.webhooks.listAttempts(id, { limit: 9 })).total, 0)
      assert.equal(await bench.write((tx) => tx.webhooks.update(id, ['active'], { status: 'paused' })), undefined)
      assert.equal(await bench.write((tx) => tx.webhooks.rotateSecret(id, 'next', at)), undefined)
      assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: id, holder: 'a' }, MINUTE)), false)
      assert.deepEqual(await bench.write((tx) => tx.webhooks.redeliver(id, ['0-1-1'], at)), [])
    }
    assert.equal(await bench.write(inserting(newWebhook(randomUUID()))), undefined)
    assert.equal(await bench.write(inserting(newWebhook('no uuid'))), undefined)
    assert.deepEqual((await bench.read.webhooks.listOfAccount('no uuid', { limit: 9 })).items, [])
  })

  it('has one webhook for what an account wants once, also when many make it', async () => {
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

  it('holds the limits of an account when many are made', async () => {
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
    // Those that have ended count for the day, and not for the account.
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
  })

  it('leaves a state for exactly one of many', async () => {
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

  it('forgets the secrets and the waiting deliveries of a webhook that ends', async () => {
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

  it('loses no secret when two rotate it', async () => {
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

  it('queues each event once, in the order given', async () => {
    const webhook = await active()
    const events = await logged(4)
    await bench.write(enqueuing(webhook, events.slice(0, 3)))
    await bench.write(enqueuing(webhook, events))
    const pending = await pendingOf(webhook)
    assert.deepEqual(
      pending.map(({ cursor, event }) => [cursor, event]),
      events.map((event) => [event.cursor, event]),
    )
    assert.deepEqual(
      pending.map(({ attempts, isRepeat, createdAt, dueAt }) => [attempts, isRepeat, createdAt, dueAt]),
      events.map(() => [0, false, at, at]),
    )
    assert.equal(new Set(pending.map(({ id }) => id)).size, 4)
    assert.equal((await get(webhook)).pending, 4)
    assert.deepEqual((await bench.read.webhooks.listPending(webhook.id, 2)).length, 2)
  })

  it('counts every delivery that many queue at the same time', async () => {
    const [one, two] = [await active(), await active()]
    const events = await logged(4)
    const both =
      (some: readonly StoredEvent[], [left, right]: readonly [Webhook, Webhook]) =>
      (tx: Tx) =>
        tx.webhooks.enqueue(
          some.flatMap(({ cursor }) => [
            { webhookId: left.id, cursor },
            { webhookId: right.id, cursor },
          ]),
          { now: at, maxPending: 100 },
        )
    await bench.overlap(both(events.slice(0, 2), [one, two]), [both(events.slice(1), [two, one])])
    for (const webhook of [one, two]) {
      assert.equal((await get(webhook)).pending, 4)
      assert.equal((await pendingOf(webhook)).length, 4)
    }
  })

  it('pauses a webhook whose backlog is full, once, and says since when it misses events', async () => {
    const webhook = await active()
    const events = await logged(6)
    const full = (index: number) => enqueuing(webhook, [present(events[index])], 2, later(index))
    for (const index of [0, 1]) assert.deepEqual(await bench.write(full(index)), [])
    const { first, others } = await bench.overlap(full(2), [full(3), full(4)])
    assert.deepEqual(
      first?.map(({ id, status, pauseReason }) => [id, status, pauseReason]),
      [[webhook.id, 'paused', 'backlog']],
    )
    assert.deepEqual(others, [[], []])
    const now = await get(webhook)
    assert.deepEqual([now.pending, now.missedSince, now.status], [2, later(2), 'paused'])
    assert.deepEqual(
      await bench.read.webhooks
        .listSubscribers([webhook.sourceProfileId])
        .then((all) => all.some(({ id }) => id === webhook.id)),
      false,
    )
    await bench.write((tx) =>
      tx.webhooks.update(webhook.id, ['paused'], { status: 'active', pauseReason: null, missedSince: null }),
    )
    await bench.write(enqueuing(webhook, [present(events[5])], 9))
    assert.equal((await pendingOf(webhook)).length, 3)
  })

  it('keeps the reason of an owner who paused, when the backlog is full', async () => {
    const webhook = await active()
    await bench.write((tx) => tx.webhooks.update(webhook.id, ['active'], { status: 'paused', pauseReason: 'owner' }))
    const [full] = await bench.write(enqueuing(webhook, await logged(1), 0))
    assert.deepEqual([full?.pauseReason, full?.missedSince], ['owner', at])
  })

  it('leases a webhook that is due to exactly one of many', async () => {
    const webhook = await active()
    await bench.write(enqueuing(webhook, await logged(1)))
    const { first, others } = await bench.overlap(claiming('one'), [claiming('two'), claiming('three')])
    assert.equal(first?.includes(webhook.id), true)
    for (const other of others) assert.equal(other.includes(webhook.id), false)
    assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'two' }, MINUTE)), false)
    assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'one' }, MINUTE)), true)
  })

  it('leases no webhook that is not due, is paused, or whose account may not use the service', async () => {
    const [quiet, paused, early] = [await active(), await active(), await active()]
    const [banned, leaving] = [await active(), await active()]
    for (const webhook of [paused, banned, leaving]) await bench.write(enqueuing(webhook, await logged(1)))
    await bench.write(enqueuing(early, await logged(1), 9, later(2 * HOUR)))
    await bench.write(async (tx) => {
      await tx.webhooks.update(paused.id, ['active'], { status: 'paused', pauseReason: 'owner' })
      await tx.accounts.save(banned.accountId, { bannedAt: at })
      await tx.accounts.save(leaving.accountId, { deletionScheduledAt: at })
    })
    const claimed = await bench.write(claiming('one'))
    for (const webhook of [quiet, paused, early, banned, leaving]) assert.equal(claimed.includes(webhook.id), false)
    await bench.write(async (tx) => {
      await tx.webhooks.update(paused.id, ['paused'], { status: 'active', pauseReason: null })
      await tx.accounts.save(banned.accountId, { bannedAt: null })
    })
    const again = await bench.write(claiming('one', later(3 * HOUR)))
    for (const webhook of [paused, early, banned]) assert.equal(again.includes(webhook.id), true)
  })

  it('leases the verification that a process left, and not one that it works on', async () => {
    const webhook = await inserted((await bench.account()).id)
    assert.equal(
      await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'one' }, SHORT_LEASE)),
      true,
    )
    assert.equal((await bench.write(claiming('two', DUE, SHORT_LEASE))).includes(webhook.id), false)
    await leaseRunsOut()
    assert.equal((await bench.write(claiming('two', DUE, MINUTE))).includes(webhook.id), true)
  })

  it('hands a webhook to another process once its lease has run out, and takes no report of the first', async () => {
    const webhook = await active()
    const [event] = await logged(1)
    await bench.write(enqueuing(webhook, [present(event)]))
    await bench.write(claiming('one', DUE, SHORT_LEASE))
    await leaseRunsOut()
    const { first, others } = await bench.overlap(claiming('two'), [claiming('three')])
    assert.deepEqual([first?.includes(webhook.id), others[0]?.includes(webhook.id)], [true, false])
    const { id } = present((await pendingOf(webhook))[0])
    assert.equal(
      await bench.write(reporting(webhook, 'one', { settled: [id], attempts: [attemptOf(present(event))] })),
      undefined,
    )
    assert.equal((await pendingOf(webhook)).length, 1)
    assert.equal((await bench.read.webhooks.listAttempts(webhook.id, { limit: 9 })).total, 0)
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }))
    assert.equal((await bench.write(claiming('four'))).includes(webhook.id), false)
    assert.equal((await bench.write(reporting(webhook, 'two', { settled: [id] })))?.pending, 0)
  })

  it('keeps the lease of a process that reports', async () => {
    const webhook = await active()
    await bench.write(enqueuing(webhook, await logged(1)))
    await bench.write(claiming('one', DUE, SHORT_LEASE))
    await bench.write(reporting(webhook, 'one', {}))
    await leaseRunsOut()
    assert.equal((await bench.write(claiming('two'))).includes(webhook.id), false)
  })

  it('stores what came of deliveries', async () => {
    const webhook = await active()
    const events = await logged(4)
    await bench.write(enqueuing(webhook, events))
    await bench.write(claiming('one'))
    const ids = (await pendingOf(webhook)).map(({ id }) => id)
    const [delivered, dropped, failing] = events.map((event) => present(event)) as [
      StoredEvent,
      StoredEvent,
      StoredEvent,
    ]
    const failure = attemptOf(failing, { statusCode: null, outcome: 'failed', error: 'timeout' })
    const after = await bench.write(
      reporting(webhook, 'one', {
        attempts: [attemptOf(delivered), failure],
        settled: ids.slice(0, 1),
        dropped: ids.slice(1, 2),
        retried: { ids: ids.slice(2, 3), at: later(5_000) },
        failures: 'raise',
      }),
    )
    assert.deepEqual([after?.pending, after?.failureCount], [2, 1])
    assert.deepEqual(
      (await pendingOf(webhook)).map(({ cursor, attempts, dueAt }) => [cursor, attempts, dueAt]),
      [
        [failing.cursor, 1, later(5_000)],
        [present(events[3]).cursor, 0, at],
      ],
    )
    assert.deepEqual((await bench.read.webhooks.listAttempts(webhook.id, { limit: 9 })).items, [
      failure,
      attemptOf(delivered),
    ])
    assert.equal((await bench.write(reporting(webhook, 'one', { failures: 'raise' })))?.failureCount, 2)
    assert.equal((await bench.write(reporting(webhook, 'one', { failures: 'reset' })))?.failureCount, 0)
    assert.deepEqual(await bench.write(enqueuing(webhook, [dropped, delivered])), [])
    assert.deepEqual(await cursorsOf(webhook), [failing.cursor, present(events[3]).cursor, dropped.cursor])
    // The order of a webhook holds: what comes after a delivery that is tried again waits for it.
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }))
    assert.equal((await bench.write(claiming('two', later(4_999)))).includes(webhook.id), false)
    assert.equal((await bench.write(claiming('two', later(5_000)))).includes(webhook.id), true)
  })

  it('settles a delivery once, when its webhook is paused meanwhile', async () => {
    const webhook = await active()
    await bench.write(enqueuing(webhook, await logged(2)))
    await bench.write(claiming('one'))
    const ids = (await pendingOf(webhook)).map(({ id }) => id)
    await bench.overlap(
      (tx) => tx.webhooks.update(webhook.id, ['active'], { status: 'paused', pauseReason: 'owner' }),
      [reporting(webhook, 'one', { settled: ids.slice(0, 1) })],
    )
    assert.equal((await bench.write(reporting(webhook, 'one', { settled: ids.slice(0, 1) })))?.pending, 1)
    assert.equal((await get(webhook)).pending, 1)
  })

  it('counts what is queued while deliveries are settled', async () => {
    const webhook = await active()
    const events = await logged(3)
    await bench.write(enqueuing(webhook, events.slice(0, 2)))
    await bench.write(claiming('one'))
    const ids = (await pendingOf(webhook)).map(({ id }) => id)
    await bench.overlap(reporting(webhook, 'one', { settled: ids }), [
      async (tx) => {
        await enqueuing(webhook, events.slice(2))(tx)
        return undefined
      },
    ])
    assert.equal((await get(webhook)).pending, 1)
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }))
    assert.equal((await bench.write(claiming('two'))).includes(webhook.id), true)
  })

  it('ends a lease: a webhook is due when its first delivery is, and not before it is to be', async () => {
    const webhook = await active()
    await bench.write(enqueuing(webhook, await logged(1)))
    await bench.write(claiming('one'))
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }, later(MINUTE)))
    assert.equal((await bench.write(claiming('two', later(MINUTE - 1)))).includes(webhook.id), false)
    assert.equal((await bench.write(claiming('two', later(MINUTE)))).includes(webhook.id), true)
    const { id } = present((await pendingOf(webhook))[0])
    await bench.write(reporting(webhook, 'two', { settled: [id] }))
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'two' }))
    assert.equal((await bench.write(claiming('three'))).includes(webhook.id), false)
  })

  it('makes a webhook due for what is queued while its lease ends, or while it is resumed', async () => {
    const [released, resumed] = [await active(), await active()]
    await bench.write(enqueuing(released, await logged(1)))
    await bench.write(claiming('one'))
    const [delivery] = await pendingOf(released)
    await bench.write(reporting(released, 'one', { settled: [present(delivery).id] }))
    await bench.overlap(enqueuing(released, await logged(1)), [
      (tx) => tx.webhooks.release({ webhookId: released.id, holder: 'one' }),
    ])
    await bench.write((tx) => tx.webhooks.update(resumed.id, ['active'], { status: 'paused', pauseReason: 'owner' }))
    await bench.overlap<unknown, unknown>(enqueuing(resumed, await logged(1)), [
      (tx) => tx.webhooks.update(resumed.id, ['paused'], { status: 'active', pauseReason: null }),
    ])
    const claimed = await bench.write(claiming('two'))
    assert.deepEqual([claimed.includes(released.id), claimed.includes(resumed.id)], [true, true])
  })

  it('makes a webhook due when its batch is full', async () => {
    const webhook = await active({ maxBatchSize: 2, maxBatchWaitMs: MINUTE })
    const events = await logged(3)
    await bench.write(enqueuing(webhook, events.slice(0, 1)))
    await bench.write(claiming('one'))
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }, later(MINUTE)))
    assert.equal((await bench.write(claiming('two', later(1)))).includes(webhook.id), false)
    await bench.write(enqueuing(webhook, events.slice(1, 2)))
    assert.equal((await bench.write(claiming('two', later(1)))).includes(webhook.id), true)
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'two' }, later(MINUTE)))
    assert.equal((await bench.write(claiming('three', later(1)))).includes(webhook.id), true)
  })

  it('delivers again what a webhook had, under the same ids and after what waits', async () => {
    const webhook = await active()
    const events = await logged(4)
    const [one, two, three, never] = events as [StoredEvent, StoredEvent, StoredEvent, StoredEvent]
    await bench.write(enqueuing(webhook, [one, two, three]))
    const ids = (await pendingOf(webhook)).map(({ id }) => id)
    await bench.write(claiming('one'))
    await bench.write(reporting(webhook, 'one', { settled: ids.slice(0, 2) }))
    const again = await bench.write((tx) =>
      tx.webhooks.redeliver(webhook.id, [two.cursor, one.cursor, three.cursor, never.cursor, '0-0-0', 'odd'], later(1)),
    )
    assert.deepEqual(again, [one.cursor, two.cursor, three.cursor])
    const pending = await pendingOf(webhook)
    assert.deepEqual(
      pending.map(({ cursor, id, isRepeat }) => [cursor, id, isRepeat]),
      [
        [three.cursor, ids[2], false],
        [one.cursor, ids[0], true],
        [two.cursor, ids[1], true],
      ],
    )
    assert.equal((await get(webhook)).pending, 3)
  })

  it('replays events of its source since a moment, in the order of the log', async () => {
    const { id: profileId } = await bench.profile()
    const webhook = await active({ sourceProfileId: profileId })
    const before = await logged(1, profileId, later(-1))
    const events = await logged(3, profileId)
    await logged(1, (await bench.profile()).id)
    await bench.write((tx) => tx.events.append([newEvent({ profileId, at, type: 'profiles.profile_updated' })]))
    const until = present(events[2]).cursor
    await logged(1, profileId)
    await bench.write(enqueuing(webhook, [...before, ...events.slice(0, 2)]))
    await bench.write(claiming('one'))
    const [first, second] = (await pendingOf(webhook)).map(({ id }) => id)
    await bench.write(reporting(webhook, 'one', { settled: [present(first), present(second)] }))
    const types = ['content.page_saved']
    const replay = (max: number) => (tx: Tx) =>
      tx.webhooks.replay(webhook.id, { since: at, until, types }, { now: at, max })
    assert.equal(await bench.write(replay(100)), 3)
    assert.deepEqual(
      await cursorsOf(webhook),
      [events[1], events[0], events[2]].map((event) => present(event).cursor),
    )
    assert.equal(await bench.write(replay(100)), 3)
    assert.equal((await get(webhook)).pending, 3)
    assert.equal(await bench.write(replay(1)), 1)
    assert.equal(
      await bench.write((tx) => tx.webhooks.replay(webhook.id, { since: at, until, types: [] }, { now: at, max: 9 })),
      0,
    )
  })

  it('keeps the place of a delivery whose event is gone', async () => {
    const webhook = await active()
    const [event] = await logged(1)
    await bench.write((tx) =>
      tx.webhooks.enqueue(
        [
          { webhookId: webhook.id, cursor: '0-1-9007199254740000' },
          { webhookId: webhook.id, cursor: present(event).cursor },
        ],
        { now: at, maxPending: 9 },
      ),
    )
    assert.deepEqual(
      (await pendingOf(webhook)).map((each) => each.event),
      [undefined, event],
    )
    assert.deepEqual(await bench.write((tx) => tx.webhooks.redeliver(webhook.id, ['0-1-9007199254740000'], at)), [])
  })

  it('gives figures about the attempts since a moment', async () => {
    const webhook = await active()
    const [event] = (await logged(1)) as [StoredEvent]
    await bench.write(enqueuing(webhook, [event]))
    await bench.write(claiming('one'))
    assert.deepEqual(await bench.read.webhooks.getHealth(webhook.id, at), {
      delivered: 0,
      failed: 0,
      p95Ms: null,
      lastFailure: null,
    })
    const failed = attemptOf(event, { at: later(200), statusCode: 503, outcome: 'undeliverable', error: 'status' })
    const attempts = Array.from({ length: 20 }, (_, index) =>
      attemptOf(event, { at: later(index), responseTimeMs: index + 1 }),
    )
    await bench.write(
      reporting(webhook, 'one', {
        attempts: [attemptOf(event, { at: later(-1), responseTimeMs: 9_999 }), ...attempts, failed],
      }),
    )
    const health = await bench.read.webhooks.getHealth(webhook.id, at)
    assert.deepEqual(health, { delivered: 20, failed: 1, p95Ms: 19, lastFailure: failed })
    const list = (page: { limit: number; cursor?: string | undefined }) =>
      bench.read.webhooks.listAttempts(webhook.id, page)
    assert.equal((await readAll(list, 9)).length, 22)
    await checkCursors(list)
  })

  it('ends leases and announces their end once, also when many look', async () => {
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

  it('prunes what is old, as much as asked for', async () => {
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

  it('erases the webhooks of an account, those about its profiles, and no others', async () => {
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

  it('makes no webhook for an account that is being removed', async () => {
    const { id } = await bench.account()
    const remove = async (tx: Tx) => {
      await tx.accounts.eraseAccount(present(await lockForErasure(tx, id)))
    }
    const { others } = await bench.overlap(remove, [inserting(newWebhook(id))])
    assert.deepEqual(others, [undefined])
  })
})
