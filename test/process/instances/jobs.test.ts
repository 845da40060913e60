import { setTimeout as sleep } from 'node:timers/promises'
import { postgresStorage } from '@eep/adapters-postgres'
import { newJob } from '@eep/core/testing'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createMigratedDatabase, createTestApp, openStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { ask, kindOf, openEnd, untilJob } from '../../support/jobs.ts'

describe.skipIf(onPglite())('jobs on several instances', () => {
  it('are done once each, by all of them', async () => {
    const database = await openStorage()
    const done: [string, number][] = []
    // None is done before both have begun one, however late the second looks.
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const both = Promise.all(begun.map(({ promise }) => promise))
    const instances = await Promise.all(
      [database.storage, database.another()].map((storage, index) => {
        const kind = kindOf(async ({ job }) => {
          begun[index]?.resolve()
          await both
          done.push([job.id, index])
          return {}
        })
        return createTestApp({ storage, jobs: { kinds: [kind], pollIntervalMs: 500 } })
      }),
    )
    const { app } = instances[0] as (typeof instances)[number]
    const ada = await signUp(app)
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(app, ada)))
    for (const { id } of asked) await untilJob(app, id, ada, ['succeeded'])
    expect(done.map(([id]) => id).toSorted()).toEqual(asked.map(({ id }) => id).toSorted())
    expect(new Set(done.map(([, index]) => index)).size).toBe(2)
    await Promise.all(instances.map(({ close }) => close()))
    await database.close()
  })

  it('aborts a job that was canceled on another instance', async () => {
    const database = await openStorage()
    const { run, begun, aborted } = openEnd()
    const one = await createTestApp({ storage: database.storage, jobs: { kinds: [kindOf(run)] } })
    const two = await createTestApp({ storage: database.another() })
    const ada = await signUp(one.app)
    const { id } = await ask(one.app, ada)
    await begun
    const answer = await client(two.app).as(ada).delete(`/jobs/${id}`)
    expect(answer.json()).toMatchObject({ status: 'cancelled' })
    await aborted
    await Promise.all([one.close(), two.close()])
    await database.close()
  })

  it('are done by another one when their process is killed', async () => {
    const database = await createMigratedDatabase()
    const pool = new Pool({ connectionString: database.connectionString })
    const storage = postgresStorage({ pool })
    const setup = await createTestApp({ storage })
    const ada = await signUp(setup.app)
    // It would take the job from the queue too, and leave it to others for a while.
    await setup.close()
    const job = newJob(ada.account.id)
    const read = () => storage.read.jobs.get(job.id)
    await storage.transaction((tx) => tx.jobs.add(job))

    const killed = await startCrashHost({ DATABASE_URL: database.connectionString }, './job-host.ts')
    try {
      await expect.poll(read, { timeout: 60_000 }).toMatchObject({ status: 'running' })
    } finally {
      await killed.kill()
    }
    // However long its end took, its last heartbeat is recent.
    const refreshed = await pool.query('update eep.job set heartbeat_on = now() where heartbeat_on is not null')
    expect(refreshed.rowCount).toBe(1)
    const run = kindOf(async () => ({ saved: true }))
    const heir = await createTestApp({ storage, jobs: { kinds: [run], pollIntervalMs: 500, deadAfterMs: 10_000 } })
    await sleep(1_000)
    expect(await read()).toMatchObject({ status: 'running' })
    // Time passes: the last heartbeat of the process was an hour ago.
    await pool.query(`update eep.job set heartbeat_on = heartbeat_on - interval '1 hour'`)
    expect(await untilJob(heir.app, job.id, ada)).toMatchObject({ status: 'succeeded', result: { saved: true } })

    await heir.close()
    await storage.close()
    await pool.end()
    await database.drop()
  })
})
