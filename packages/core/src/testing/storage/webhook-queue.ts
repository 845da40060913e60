import assert from 'node:assert/strict'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Webhook } from '../../ports/storage/webhooks.ts'
import { newEvent } from '../records.ts'
import { casesFor, MINUTE, present } from './bench.ts'
import { at, createWebhookBench, later } from './webhook-bench.ts'

type Tx = Stores<'webhooks'>

export const webhookQueueCases = casesFor(['webhooks'], (it, bench) => {
  const { active, logged, enqueuing, pendingOf, cursorsOf, get, claiming, reporting } = createWebhookBench(bench)

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

  it('counts every delivery that is queued concurrently', async () => {
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

  it('pauses a webhook whose backlog is full, once, and returns the time of the first missed event', async () => {
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

  it('keeps the pause reason of the owner when the backlog is full', async () => {
    const webhook = await active()
    await bench.write((tx) => tx.webhooks.update(webhook.id, ['active'], { status: 'paused', pauseReason: 'owner' }))
    const [full] = await bench.write(enqueuing(webhook, await logged(1), 0))
    assert.deepEqual([full?.pauseReason, full?.missedSince], ['owner', at])
  })

  it('redelivers earlier events under the same ids, after pending ones', async () => {
    const webhook = await active()
    const events = await logged(4)
    const [one, two, three, never] = events as [StoredEvent, StoredEvent, StoredEvent, StoredEvent]
    await bench.write(enqueuing(webhook, [one, two, three]))
    const ids = (await pendingOf(webhook)).map(({ id }) => id)
    await bench.write(claiming('one'))
    await bench.write(reporting(webhook, 'one', { settled: ids.slice(0, 2) }))
    const cursors = [two.cursor, one.cursor, three.cursor, never.cursor, '0-0-0', 'odd']
    const redeliver = (maxPending: number) => (tx: Tx) =>
      tx.webhooks.redeliver(webhook.id, cursors, { now: later(1), maxPending })
    assert.equal(await bench.write(redeliver(2)), undefined)
    assert.equal((await pendingOf(webhook)).length, 1)
    const again = await bench.write(redeliver(3))
    assert.deepEqual(again, [one.cursor, two.cursor, three.cursor])
    const pending = await pendingOf(webhook)
    assert.deepEqual(
      pending.map(({ cursor, id, isRepeat, dueAt }) => [cursor, id, isRepeat, dueAt]),
      [
        [three.cursor, ids[2], false, at],
        [one.cursor, ids[0], true, later(1)],
        [two.cursor, ids[1], true, later(1)],
      ],
    )
    assert.equal((await get(webhook)).pending, 3)
    // Pending deliveries take no additional room in the queue.
    assert.deepEqual(await bench.write(redeliver(1)), again)
  })

  it('makes a webhook due for redeliveries immediately', async () => {
    const { id: profileId } = await bench.profile()
    const [redelivered, replayed] = [
      await active({ sourceProfileId: profileId }),
      await active({ sourceProfileId: profileId }),
    ]
    const events = await logged(1, profileId)
    const { cursor } = present(events[0])
    for (const webhook of [redelivered, replayed]) await bench.write(enqueuing(webhook, events))
    await bench.write(claiming('one'))
    for (const webhook of [redelivered, replayed]) {
      const [delivery] = await pendingOf(webhook)
      await bench.write(reporting(webhook, 'one', { settled: [present(delivery).id] }))
      await bench.write((tx) => tx.webhooks.release({ webhookId: webhook.id, holder: 'one' }))
    }
    const now = later(MINUTE)
    const types = ['content.page_saved']
    await bench.write((tx) => tx.webhooks.redeliver(redelivered.id, [cursor], { now, maxPending: 9 }))
    await bench.write((tx) =>
      tx.webhooks.replay(replayed.id, { since: at, until: cursor, types }, { now, maxPending: 9 }),
    )
    const isClaimed = async (when: Date) => {
      const claimed = await bench.write(claiming('two', when))
      return [redelivered, replayed].map((webhook) => claimed.includes(webhook.id))
    }
    for (const webhook of [redelivered, replayed]) {
      const [delivery] = await pendingOf(webhook)
      assert.deepEqual([delivery?.createdAt, delivery?.dueAt], [now, now])
    }
    assert.deepEqual(await isClaimed(later(MINUTE - 1)), [false, false])
    assert.deepEqual(await isClaimed(now), [true, true])
  })

  it('replays events of its source since a given time, in the order of the log', async () => {
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
    const replay = (maxPending: number) => (tx: Tx) =>
      tx.webhooks.replay(webhook.id, { since: at, until, types }, { now: at, maxPending })
    // One delivery is pending: first there is no room, then room for one more.
    assert.equal(await bench.write(replay(1)), undefined)
    assert.equal(await bench.write(replay(2)), 2)
    assert.deepEqual(
      await cursorsOf(webhook),
      [events[1], events[0]].map((event) => present(event).cursor),
    )
    assert.equal(await bench.write(replay(100)), 3)
    assert.deepEqual(
      await cursorsOf(webhook),
      [events[1], events[0], events[2]].map((event) => present(event).cursor),
    )
    assert.equal(await bench.write(replay(100)), 3)
    assert.equal((await get(webhook)).pending, 3)
    assert.equal(await bench.write(replay(1)), 1)
    assert.equal(
      await bench.write((tx) =>
        tx.webhooks.replay(webhook.id, { since: at, until, types: [] }, { now: at, maxPending: 9 }),
      ),
      0,
    )
  })

  it('keeps the place of a delivery whose event was deleted', async () => {
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
    assert.deepEqual(
      await bench.write((tx) =>
        tx.webhooks.redeliver(webhook.id, ['0-1-9007199254740000'], { now: at, maxPending: 9 }),
      ),
      [],
    )
  })
})
