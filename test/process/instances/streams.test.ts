import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import type { TestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { onPglite } from '../../support/database.ts'
import { openInstances } from '../../support/instances.ts'
import { listen, openStream } from '../../support/streams.ts'
import { soon } from '../../support/wait.ts'

const update = (app: TestApp, headers: Record<string, string>, bio: string) =>
  client(app).put('/manage/profile', { bio }, headers)

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
      await soon(() => expect(stream.envelopes()).toHaveLength(writes.length))
    }
    const [order] = streams.map((stream) => stream.envelopes().map(({ id }) => id))
    expect(new Set(order).size).toBe(writes.length)
    expect([...(order ?? [])].sort()).toEqual(order)
    for (const stream of streams) expect(stream.envelopes().map(({ id }) => id)).toEqual(order)

    // Each instance continues after an event of the other.
    for (const base of bases) {
      const resumed = await openStream(base, path, { 'last-event-id': order?.[9] ?? '' })
      await soon(() => expect(resumed.envelopes().map(({ id }) => id)).toEqual(order?.slice(10)))
    }
  })
})
