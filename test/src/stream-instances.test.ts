import { setTimeout as sleep } from 'node:timers/promises'
import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { signUp } from './support/accounts.ts'
import { createTestApp, type TestApp } from './support/app.ts'
import { startCrashHost } from './support/crash-host.ts'
import { createDatabase, onPglite } from './support/database.ts'
import { openInstances } from './support/instances.ts'
import { type Envelope, listen, openStream } from './support/streams.ts'

/** How often the host is killed. `STREAM_KILLS=1000` takes an hour. */
const KILLS = Number(process.env.STREAM_KILLS ?? 3)
const LONG = { timeout: 120_000, interval: 10 }

const update = (app: TestApp, headers: Record<string, string>, bio: string) =>
  app.inject({ method: 'PUT', url: '/manage/profile', headers, payload: { bio } })

const { database, instance } = await openInstances({ signals: { anonymousStreams: 50 } })

describe.skipIf(onPglite())('streams of several instances', () => {
  it('send every event once and in one order, whichever instance wrote it', async () => {
    const apps = [await instance(), await instance({ storage: database.another() })] as const
    const bases = await Promise.all(apps.map(listen))
    const { headers, account } = await signUp(apps[0])
    const path = `/stream/signals?types=entity.updated&source=u/${account.username}`
    const streams = await Promise.all(bases.flatMap((base) => [openStream(base, path), openStream(base, path)]))
    const writes = Array.from({ length: 40 }, (_, index) => index)
    for (const index of writes) await update(apps[index % 2 ? 1 : 0], headers, `version ${index}`)
    for (const stream of streams) {
      await vi.waitFor(() => expect(stream.envelopes()).toHaveLength(writes.length), LONG)
    }
    const [order] = streams.map((stream) => stream.envelopes().map(({ id }) => id))
    expect(new Set(order).size).toBe(writes.length)
    expect([...(order ?? [])].sort()).toEqual(order)
    for (const stream of streams) expect(stream.envelopes().map(({ id }) => id)).toEqual(order)

    // Each instance continues after an event of the other.
    for (const base of bases) {
      const resumed = await openStream(base, path, { 'last-event-id': order?.[9] ?? '' })
      await vi.waitFor(() => expect(resumed.envelopes().map(({ id }) => id)).toEqual(order?.slice(10)), LONG)
    }
  })

  it('lose and repeat nothing for clients that connect again after their host was killed', async () => {
    const shared = await createDatabase()
    const pool = new Pool({ connectionString: shared.connectionString })
    const storage = postgresStorage({ pool })
    await storage.migrate()
    const writer = await createTestApp({ storage })
    const { headers, account } = await signUp(writer.app)
    const path = `/stream/signals?types=entity.updated&source=u/${account.username}`
    const env = { DATABASE_URL: shared.connectionString }

    let host = await startCrashHost(env, './stream-host.ts')
    const first = await openStream(host.url, path)
    await update(writer.app, headers, 'version 0')
    await vi.waitFor(() => expect(first.envelopes()).toHaveLength(1), LONG)
    first.close()
    let isEnding = false
    let isDone = false
    let written = 1
    const writing = (async () => {
      for (; !isEnding; written += 1) {
        const response = await update(writer.app, headers, `version ${written}`)
        if (response.statusCode !== 200) throw new Error(response.body)
        await sleep(2)
      }
    })()

    /** Connects again and again, each time after the last event that it got. */
    const client = (async (seen: Envelope[]) => {
      while (!isDone || seen.length < written) {
        const stream = await openStream(host.url, path, { 'last-event-id': seen.at(-1)?.id ?? '' }).catch(
          () => undefined,
        )
        if (!stream) {
          await sleep(20)
          continue
        }
        const before = seen.length
        await vi.waitFor(() => {
          seen.splice(before, seen.length, ...stream.envelopes())
          expect(stream.frames.some(({ event }) => event === 'reset')).toBe(false)
          expect(stream.isEnded() || (isDone && seen.length >= written)).toBe(true)
        }, LONG)
        stream.close()
      }
      return seen
    })(first.envelopes())

    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await sleep(300 + Math.random() * 300)
        await host.kill()
        host = await startCrashHost(env, './stream-host.ts')
      }
      await sleep(300)
    } finally {
      isEnding = true
      await writing
      isDone = true
    }
    const seen = await client
    await host.kill()
    const past: string[] = []
    for (let since = seen[0]?.id; since !== undefined; ) {
      const response = await writer.app.inject({
        url: `/eep/events?limit=1000&types=entity.updated&source=u/${account.username}&since=${since}`,
        headers,
      })
      const page = response.json<{ events: Envelope[]; next_cursor?: string }>()
      past.push(...page.events.map(({ id }) => id))
      since = page.next_cursor
    }
    expect(past).toHaveLength(written - 1)
    expect(seen.slice(1).map(({ id }) => id)).toEqual(past)
    await writer.close()
    await storage.close()
    await pool.end()
    await shared.drop()
  }, 600_000)
})
