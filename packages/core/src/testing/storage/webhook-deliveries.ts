import assert from 'node:assert/strict'
import type { StoredEvent } from '../../ports/storage/events.ts'
import { casesFor, HOUR, leaseRunsOut, MINUTE, present, SHORT_LEASE } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'
import { at, createWebhookBench, DUE, later } from './webhook-bench.ts'

export const webhookDeliveryCases = casesFor(['webhooks'], (it, bench) => {
  const { inserted, active, logged, enqueuing, pendingOf, cursorsOf, get, claiming, reporting, attemptOf } =
    createWebhookBench(bench)

  it('leases a due webhook to exactly one of many', async () => {
    const webhook = await active()
    await bench.write(enqueuing(webhook, await logged(1)))
    const { first, others } = await bench.overlap(claiming('one'), [claiming('two'), claiming('three')])
    assert.equal(first?.includes(webhook.id), true)
    for (const other of others) assert.equal(other.includes(webhook.id), false)
    assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'two' }, MINUTE)), false)
    assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'one' }, MINUTE)), true)
  })

  it('leases no webhook that is not due, is paused, or belongs to an account that may not use the service', async () => {
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
    assert.equal(await bench.read.webhooks.isDue(DUE), false)
    await bench.write(async (tx) => {
      await tx.webhooks.update(paused.id, ['paused'], { status: 'active', pauseReason: null })
      await tx.accounts.save(banned.accountId, { bannedAt: null })
    })
    assert.equal(await bench.read.webhooks.isDue(DUE), true)
    const again = await bench.write(claiming('one', later(3 * HOUR)))
    for (const webhook of [paused, early, banned]) assert.equal(again.includes(webhook.id), true)
  })

  it('leases a verification that a process abandoned, but not one in progress', async () => {
    const webhook = await inserted((await bench.account()).id)
    assert.equal(
      await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'one' }, SHORT_LEASE)),
      true,
    )
    assert.equal((await bench.write(claiming('two', DUE, SHORT_LEASE))).includes(webhook.id), false)
    await leaseRunsOut()
    assert.equal((await bench.write(claiming('two', DUE, MINUTE))).includes(webhook.id), true)
  })

  it('leases a webhook to another process after its lease expires, and rejects reports of the first', async () => {
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

  it('renews the lease of a process that reports', async () => {
    const webhook = await active()
    await bench.write(enqueuing(webhook, await logged(1)))
    await bench.write(claiming('one', DUE, SHORT_LEASE))
    await bench.write(reporting(webhook, 'one', {}))
    await leaseRunsOut()
    assert.equal((await bench.write(claiming('two'))).includes(webhook.id), false)
  })

  it('stores the outcomes of deliveries', async () => {
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
    // Deliveries stay in order: later ones wait for the delivery that is retried.
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }))
    assert.equal((await bench.write(claiming('two', later(4_999)))).includes(webhook.id), false)
    assert.equal((await bench.write(claiming('two', later(5_000)))).includes(webhook.id), true)
  })

  it('leases a webhook whose receiver asked to wait only when that time has come, whatever is queued meanwhile', async () => {
    const webhook = await active()
    const [first, second] = await logged(2)
    await bench.write(enqueuing(webhook, [present(first)]))
    await bench.write(claiming('one'))
    const { id } = present((await pendingOf(webhook))[0])
    const failure = attemptOf(present(first), { statusCode: 429, outcome: 'undeliverable', retryAfter: '3600' })
    const notBefore = later(HOUR)
    await bench.write(reporting(webhook, 'one', { attempts: [failure], settled: [id], notBefore }))
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }))
    await bench.write(enqueuing(webhook, [present(second)]))
    assert.deepEqual((await bench.read.webhooks.listAttempts(webhook.id, { limit: 9 })).items, [failure])
    assert.equal((await bench.write(claiming('two', later(HOUR - 1)))).includes(webhook.id), false)
    // A report without it keeps the time.
    assert.equal(await bench.write((tx) => tx.webhooks.hold({ webhookId: webhook.id, holder: 'two' }, MINUTE)), true)
    await bench.write(reporting(webhook, 'two', {}))
    await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'two' }))
    assert.equal((await bench.write(claiming('two', later(HOUR - 1)))).includes(webhook.id), false)
    assert.equal((await bench.write(claiming('two', later(HOUR)))).includes(webhook.id), true)
  })

  it('settles a delivery once when its webhook is paused in the meantime', async () => {
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

  it('counts deliveries that are queued while others are settled', async () => {
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

  it('makes a released webhook due with its first delivery, but not before the given time', async () => {
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

  it('makes a webhook due for deliveries that are queued while it is released or resumed', async () => {
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

  it('summarizes the attempts since a given time', async () => {
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
})
