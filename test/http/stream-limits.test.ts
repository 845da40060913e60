import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { didOf } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createWriter } from '../support/content.ts'
import { openSocket } from '../support/sockets.ts'
import { type Envelope, listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

const DAY_MS = 86_400_000

let test: Awaited<ReturnType<typeof createTestApp>>
let base: string
beforeAll(async () => {
  test = await createTestApp()
  base = await listen(test.app)
})
afterAll(() => test.close())

/** Deletes every event of now, as the retention does once they are old. */
async function deleteEvents(): Promise<void> {
  const tomorrow = new Date(Date.now() + DAY_MS)
  const query = { before: tomorrow, keep: [], heldSince: tomorrow, limit: 1_000 }
  while ((await test.storage.transaction((tx) => tx.eventRetention.prune(query))) > 0);
}

describe('a client whose last event is no longer kept', () => {
  it('receives a reset on streams, 410 from the event list, and close code 4009 on sockets', async () => {
    const ada = await createWriter(test.app)
    const source = `types=content.*&source=u/${ada.account.username}`
    const live = await openStream(base, `/stream/signals?${source}`)
    await ada.newPage({ title: 'One' })
    await ada.newPage({ title: 'Two' })
    await soon(() => expect(live.envelopes()).toHaveLength(2))
    const [one] = live.envelopes()
    await deleteEvents()
    await ada.newPage({ title: 'Three' })
    await soon(() => expect(live.envelopes()).toHaveLength(3))

    const resumed = await openStream(base, `/stream/signals?${source}`, { 'last-event-id': one?.id ?? '' })
    await soon(() => expect(resumed.frames[1]?.event).toBe('reset'))
    const { reason, oldest_event_id: oldest } = JSON.parse(resumed.frames[1]?.data ?? '')
    expect(reason).toBe('expired')
    await ada.newPage({ title: 'Four' })
    await soon(() => expect(resumed.envelopes().map(({ data }) => data.title)).toEqual(['Four']))

    const history = (since: string) => ada.get(`/eep/events?${source}&since=${since}`)
    const gone = await history(one?.id ?? '')
    expect([gone.statusCode, gone.json().error.code]).toEqual([410, 'retention_window_exceeded'])
    expect(gone.json().oldest_retained_event_id).toBe(oldest)
    const kept = (await history(oldest)).json<{ events: Envelope[] }>().events
    expect(kept.map(({ data }) => data.title).at(-1)).toBe('Four')

    const socket = await openSocket(test.app, '/eep/pulse', { headers: ada.headers })
    const data = { source_did: didOf(ada), last_event_id: one?.id }
    socket.send('system', 'subscribe', data)
    expect(await socket.next('error')).toMatchObject({
      error: { code: 'replay_window_exceeded' },
      data: { details: { reason: 'expired', oldest_event_id: oldest } },
    })
    expect(await socket.closed()).toMatchObject({ code: 4009 })
  })
})

describe('a client that reads too slowly', () => {
  it('is disconnected when its backlog is too long, and receives every event once after reconnecting', async () => {
    const ada = await createWriter(test.app)
    const path = `/stream/signals?types=entity.updated&source=u/${ada.account.username}`
    const other = await openStream(base, path)
    const stuck = await openStream(base, path)
    await ada.put('/manage/profile', { bio: 'The first' })
    await soon(() => expect(stuck.envelopes()).toHaveLength(1))
    stuck.response.pause()

    const [stored] = await storedUpdates()
    if (!stored) throw new Error('the update is not in the log')
    let written = 1
    // What the system buffers for a connection differs from one to the next.
    while (test.eep.signals.stats().slowConsumers === 0) {
      const events = Array.from({ length: 500 }, () => ({ ...stored, id: randomUUID(), at: new Date() }))
      await test.storage.transaction((tx) => tx.events.append(events))
      written += events.length
      await soon(() => expect(other.envelopes()).toHaveLength(written))
    }
    stuck.response.resume()
    await soon(() => expect(stuck.isEnded()).toBe(true))
    const seen = stuck.envelopes().map(({ id }) => id)
    expect(seen.length).toBeLessThan(written)

    const again = await openStream(base, path, { 'last-event-id': seen.at(-1) ?? '' })
    await soon(() => expect(again.envelopes()).toHaveLength(written - seen.length))
    const ids = [...seen, ...again.envelopes().map(({ id }) => id)]
    expect(ids).toEqual(other.envelopes().map(({ id }) => id))
    expect(other.isEnded()).toBe(false)
  }, 600_000)

  /** The updates of profiles that are in the log. */
  async function storedUpdates() {
    const { events } = await test.storage.read.events.list({
      after: await test.storage.read.eventRetention.horizon(),
      limit: 1_000,
    })
    return events
      .filter(({ type }) => type === 'profiles.profile_updated')
      .slice(-1)
      .map(({ type, profileId, accountId, data }) => ({ type, profileId, accountId, data }))
  }
})
