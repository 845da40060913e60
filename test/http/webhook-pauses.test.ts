import { randomUUID } from 'node:crypto'
import { compareCursors } from '@eep/core/ports'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, rename, subscribe } from '../support/webhooks.ts'

const { database, mailbox, receiver, setUp } = await openWebhooks()

/** Deletes all events of now. */
async function pruneLog(): Promise<void> {
  const { storage } = database
  const head = await storage.read.events.head()
  const soonEnough = new Date(Date.now() + 3_600_000)
  const query = { before: soonEnough, keep: [], heldSince: soonEnough, limit: 1_000 }
  await soon(async () => {
    await storage.transaction((tx) => tx.eventRetention.prune(query))
    expect(compareCursors(await storage.read.eventRetention.horizon(), head)).toBeGreaterThanOrEqual(0)
  })
}

describe('a webhook', () => {
  it('is paused after five undelivered events, notifies its owner, and delivers in order when resumed', async () => {
    const { profile, ada, hook, made } = await setUp()
    const news = await receiver()
    const service = 'did:web:profiles.example'
    await subscribe(ada, profile, news, { source_did: service, event_types: ['subscription.paused'] })
    hook.answerWith((_received, response) => response.writeHead(503).end())
    for (let index = 1; index <= 7; index++) await rename(profile, `Name ${index}`)
    const paused = await soon(async () => {
      const now = await readWebhook(ada, made)
      expect(now.status).toBe('paused')
      return now
    })
    expect(paused).toMatchObject({ pause_reason: 'failures', failure_count: 5, pending: 2 })
    await soon(() => expect(news.envelopes()).toHaveLength(1))
    expect(news.envelopes()[0]).toMatchObject({
      type: 'subscription.paused',
      data: { subscription_id: made.id, reason: 'failures' },
    })
    const email = await mailbox.take(ada.account.email, 'paused')
    expect(email.text).toContain(`Events of ${profile.username} are no longer delivered to ${hook.host}. Five events`)
    expect(email.text).toContain(made.id)
    const before = hook.received.length
    hook.answerWith((_received, response) => response.writeHead(204).end())
    expect((await ada.post(`${made.path}/resume`)).json()).toMatchObject({ status: 'active', failure_count: 0 })
    await soon(() => expect(hook.received).toHaveLength(before + 2))
    await rename(profile, 'Back')
    await soon(() => expect(hook.received).toHaveLength(before + 3))
  })

  it('is paused when its receiver answers that it is gone', async () => {
    const { profile, ada, hook, made } = await setUp()
    hook.answerWith((_received, response) => response.writeHead(410).end())
    await rename(profile, 'Gone')
    await soon(async () =>
      expect(await readWebhook(ada, made)).toMatchObject({ status: 'paused', pause_reason: 'gone' }),
    )
    expect(hook.received).toHaveLength(1)
    expect((await mailbox.take(ada.account.email, 'paused')).text).toContain('410 Gone')
    expect(await mailbox.has(ada.account.email, 'paused')).toBe(false)
  })

  it.each([
    ['waits', false],
    ['was to be replayed', true],
  ])('is paused, and reports it, when an event that %s is no longer kept', async (_which, isRepeat) => {
    const { profile, ada, hook, made } = await setUp()
    if (isRepeat) {
      await rename(profile, 'Kept')
      await soon(async () =>
        expect(await readWebhook(ada, made)).toMatchObject({ pending: 0, deliveries: { delivered: 1 } }),
      )
    }
    await ada.post(`${made.path}/pause`)
    if (isRepeat) await ada.post(`${made.path}/replay`, { since: made.created_at })
    else await rename(profile, 'Kept')
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(1))
    await pruneLog()
    await ada.post(`${made.path}/resume`)
    const paused = await soon(async () => {
      const now = await readWebhook(ada, made)
      expect(now).toMatchObject({ status: 'paused', pause_reason: 'backlog', pending: 0 })
      return now
    })
    expect(paused.missed_since).toEqual(isRepeat ? null : expect.any(String))
    const [attempt] = (await ada.get(`${made.path}/delivery-log`)).json().attempts
    expect(attempt).toMatchObject({ final_status: 'undeliverable', error: 'event_expired' })
    expect((await mailbox.take(ada.account.email, 'paused')).text).toContain('longer than events are kept')
    await ada.post(`${made.path}/resume`)
    await rename(profile, 'Back')
    await soon(() => expect(hook.envelopes().map(({ type }) => type)).toHaveLength(isRepeat ? 2 : 1))
  })

  it('is paused once, however many of its events have expired', async () => {
    const { profile, ada, made } = await setUp()
    await ada.post(`${made.path}/pause`)
    await rename(profile, 'Kept')
    // Events become visible only when no earlier transaction is open.
    const stored = await soon(async () => {
      const { events } = await database.storage.read.events.list({
        after: await database.storage.read.eventRetention.horizon(),
        limit: 1_000,
      })
      const found = events.find((event) => event.type === 'profiles.profile_updated' && event.profileId === profile.id)
      if (!found) throw new Error('the update is not in the log')
      return found
    })
    const { type, profileId, accountId, data } = stored
    const more = Array.from({ length: 249 }, () => ({
      type,
      profileId,
      accountId,
      data,
      id: randomUUID(),
      at: new Date(),
    }))
    await database.storage.transaction((tx) => tx.events.append(more))
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(250))
    await pruneLog()
    await ada.post(`${made.path}/resume`)
    await soon(async () =>
      expect(await readWebhook(ada, made)).toMatchObject({ status: 'paused', pause_reason: 'backlog', pending: 0 }),
    )
    expect((await mailbox.take(ada.account.email, 'paused')).text).toContain('are missing: replay them')
  })

  it('holds events while its owner pauses it', async () => {
    const { profile, ada, hook, made } = await setUp()
    expect((await ada.post(`${made.path}/pause`)).json()).toMatchObject({ pause_reason: 'owner' })
    expect(codeOf(await ada.post(`${made.path}/pause`))).toBe('invalid_transition')
    expect(codeOf(await ada.post(`${made.path}/test`))).toBe('invalid_transition')
    await rename(profile, 'Later')
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(1))
    expect(hook.received).toEqual([])
    await ada.post(`${made.path}/resume`)
    expect(codeOf(await ada.post(`${made.path}/resume`))).toBe('invalid_transition')
    await soon(() => expect(hook.received).toHaveLength(1))
  })
})
