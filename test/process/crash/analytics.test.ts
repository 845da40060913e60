import type { OptionalGroup, Storage } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, type SignedUp } from '../../support/accounts.ts'
import { analyticsOf, BROWSER, untilTotals } from '../../support/analytics.ts'
import { createMigratedDatabase } from '../../support/app.ts'
import { createWriter } from '../../support/content.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { openInstances } from '../../support/instances.ts'
import { LONG } from '../../support/wait.ts'

/** Two processes need a database that both can open. */
describe.skipIf(onPglite())('figures of a host that crashes', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  const hosts: Awaited<ReturnType<typeof startCrashHost>>[] = []
  beforeAll(async () => {
    database = await createMigratedDatabase()
  })
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.kill()))
    await database.drop()
  })

  async function start() {
    const host = await startCrashHost({ DATABASE_URL: database.connectionString }, './stream-host.ts')
    hosts.push(host)
    return host
  }

  it('are lost for the last second at most, and never counted twice', async () => {
    let host = await start()
    const registered = await fetch(`${host.url}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(newRegistration('counted')),
    })
    const { token, user } = (await registered.json()) as { token: string; user: SignedUp }
    const views = async () => {
      const response = await fetch(`${host.url}/analytics/profiles/${user.active_profile_id}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return ((await response.json()) as { totals: { views: number } }).totals.views
    }
    const read = async (times: number) => {
      for (let index = 0; index < times; index += 1) {
        const response = await fetch(`${host.url}/u/counted`, { headers: { 'user-agent': BROWSER } })
        expect(response.status).toBe(200)
        await response.arrayBuffer()
      }
    }

    // A second count of the stored views would exceed the upper bound.
    const [stored, uncertain] = [45, 5]
    await read(stored)
    await expect.poll(views, LONG).toBe(stored)
    // The process dies while these are counted, stored, or just after.
    await read(uncertain)
    await host.kill()
    host = await start()
    const counted = await views()
    expect(counted).toBeGreaterThanOrEqual(stored)
    expect(counted).toBeLessThanOrEqual(stored + uncertain)
  }, 300_000)
})

describe('figures whose commit has an unknown outcome', () => {
  let lost = 0
  /** Loses the answer of the first commits that store figures. */
  const losingAnswers = (storage: Storage<OptionalGroup>): Storage<OptionalGroup> => ({
    ...storage,
    async transaction(work) {
      let isBatch = false
      const result = await storage.transaction((tx) =>
        work({
          ...tx,
          analytics: {
            ...tx.analytics,
            addBatch: (batch) => {
              isBatch = true
              return tx.analytics.addBatch(batch)
            },
          },
        }),
      )
      if (isBatch && lost < 2) {
        lost += 1
        throw new Error('the connection was lost after the commit')
      }
      return result
    },
  })

  it('are stored again under the same id, and count once', async () => {
    const { database, instance } = await openInstances()
    const app = await instance({ storage: losingAnswers(database.storage) })
    const ada = await createWriter(app)
    const read = () => app.inject({ url: `/u/${ada.account.username}`, headers: { 'user-agent': BROWSER } })
    await read()
    await expect.poll(() => lost, LONG).toBe(2)
    await read()
    await untilTotals(ada, ada.profileId, { views: 2, visitors: 1 })
    await app.close()
    const later = await instance()
    const team = { get: (url: string) => later.inject({ url, headers: ada.headers }) }
    expect((await analyticsOf(team, ada.profileId)).totals).toMatchObject({ views: 2, visitors: 1 })
  })
})
