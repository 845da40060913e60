import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobHandler, JobQueueOptions, JobWorkers } from '../ports/job-queue.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { newAccount, newJob } from './records.ts'
import { contractRunner, type TestRunner } from './runner.ts'

const GRACE = 5_000
const PATIENCE = 120_000

/** Rejects when the promise is not settled within a time limit. */
const soon = <Value>(what: string, promise: Promise<Value>, ms = PATIENCE): Promise<Value> =>
  Promise.race([
    promise,
    sleep(ms, undefined, { ref: false }).then(() => assert.fail(`${what} has not happened in ${ms} ms`)),
  ])

/**
 * Runs the contract of the {@link JobQueue} of a storage as test cases: a job is delivered once
 * its transaction has committed, to one handler at a time, and again when its handler failed.
 *
 * @param create - creates the storage, ready for use; called once, and the storage is closed at the end
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/storage.md
 * @example
 * import * as vitest from 'vitest'
 *
 * jobQueueContract(vitest, () => ownStorage())
 */
export function jobQueueContract(runner: TestRunner, create: () => Promise<Storage<'jobs'>> | Storage<'jobs'>): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('job queue', () => {
    let storage: Storage<'jobs'>
    beforeAll(async () => {
      storage = await create()
    })
    afterAll(() => storage.close())

    /** Adds this number of jobs for a new account. */
    async function addMany(count: number): Promise<readonly string[]> {
      const account = newAccount()
      const jobs = Array.from({ length: count }, () => newJob(account.id))
      await storage.transaction(async (tx) => {
        await tx.accounts.insert(account)
        for (const job of jobs) await tx.jobs.add(job)
      })
      return jobs.map(({ id }) => id)
    }

    async function add(): Promise<string> {
      const [id = ''] = await addMany(1)
      return id
    }

    const work = (handler: JobHandler, options: Partial<JobQueueOptions> = {}): Promise<JobWorkers> => {
      assert.ok(storage.queue, 'the storage has a queue')
      return storage.queue.work(handler, {
        concurrency: 2,
        pollIntervalMs: 500,
        deadAfterMs: 10_000,
        onError: () => {},
        ...options,
      })
    }

    it('delivers a job when its transaction commits, and none that was rolled back', async () => {
      const heard: string[] = []
      const told = Promise.withResolvers<void>()
      const workers = await work(
        async (id) => {
          heard.push(id)
          told.resolve()
        },
        { pollIntervalMs: 60_000 },
      )
      const account = newAccount()
      const undone = storage.transaction(async (tx) => {
        await tx.accounts.insert(account)
        await tx.jobs.add(newJob(account.id))
        throw new Error('rolled back')
      })
      await assert.rejects(undone, /rolled back/)
      const id = await add()
      await soon('the job', told.promise)
      await workers.stop(GRACE)
      assert.deepEqual(heard, [id])
    })

    it('delivers jobs that were added before a worker started, in order', async () => {
      const waiting = [await add(), await add(), await add(), await add()]
      const heard: string[] = []
      const all = Promise.withResolvers<void>()
      const workers = await work(
        async (id) => {
          heard.push(id)
          if (heard.length === waiting.length) all.resolve()
        },
        { concurrency: 1, pollIntervalMs: 60_000 },
      )
      await soon('the last job', all.promise)
      await workers.stop(GRACE)
      assert.deepEqual(heard.toSorted(), waiting.toSorted())
    })

    it('delivers jobs of accounts with few jobs before more jobs of an account with many', async () => {
      const many = await addMany(3)
      const few = await add()
      const heard: string[] = []
      const all = Promise.withResolvers<void>()
      const workers = await work(
        async (id) => {
          heard.push(id)
          if (heard.length === 4) all.resolve()
        },
        { concurrency: 1, pollIntervalMs: 60_000 },
      )
      await soon('the last job', all.promise)
      await workers.stop(GRACE)
      assert.deepEqual([heard[0], heard[1], heard.slice(2)], [many[0], few, many.slice(1)])
    })

    it('delivers each job to one of many workers, up to their concurrency', async () => {
      const count = 12
      const heard: string[] = []
      const all = Promise.withResolvers<void>()
      let [now, most] = [0, 0]
      const handler: JobHandler = async (id) => {
        now += 1
        most = Math.max(most, now)
        await sleep(20)
        now -= 1
        heard.push(id)
        if (heard.length === count) all.resolve()
      }
      const workers = await Promise.all([work(handler), work(handler)])
      const added = await Promise.all(Array.from({ length: count }, add))
      await soon('the last job', all.promise, 2 * PATIENCE)
      await Promise.all(workers.map((each) => each.stop(GRACE)))
      assert.deepEqual(heard.toSorted(), added.toSorted())
      assert.ok(most <= 4, `${most} concurrently`)
    })

    it('delivers a job again when its handler failed', async () => {
      const heard: string[] = []
      const done = Promise.withResolvers<void>()
      const workers = await work(async (id) => {
        heard.push(id)
        if (heard.length === 1) throw new Error('not now')
        done.resolve()
      })
      const id = await add()
      await soon('the second time', done.promise)
      await workers.stop(GRACE)
      assert.deepEqual(heard, [id, id])
    })

    it('delivers a job again when its handler asks for it, and reports no error', async () => {
      const heard: string[] = []
      const errors: unknown[] = []
      const done = Promise.withResolvers<void>()
      const workers = await work(
        async (id) => {
          heard.push(id)
          if (heard.length === 1) return 'later'
          done.resolve()
          return undefined
        },
        { onError: (error) => void errors.push(error) },
      )
      const id = await add()
      await soon('the second time', done.promise)
      await workers.stop(GRACE)
      assert.deepEqual([heard, errors], [[id, id], []])
    })

    it('aborts unfinished jobs when a worker stops, and delivers them to other workers', async () => {
      const begun = Promise.withResolvers<AbortSignal>()
      const endless: JobHandler = (_, signal) => {
        begun.resolve(signal)
        return new Promise(() => {})
      }
      const first = await work(endless)
      const id = await add()
      const signal = await soon('the job', begun.promise)
      assert.equal(signal.aborted, false)
      const heard: string[] = []
      const done = Promise.withResolvers<void>()
      const second = await work(async (again) => {
        heard.push(again)
        done.resolve()
      })
      await sleep(700)
      assert.deepEqual(heard, [], 'a job that another worker has is not delivered')
      await soon('the stop', first.stop(50), GRACE)
      assert.equal(signal.aborted, true)
      await soon('the job', done.promise)
      await second.stop(GRACE)
      assert.deepEqual(heard, [id])
    })

    it('waits for jobs that finish in time when a worker stops', async () => {
      const begun = Promise.withResolvers<void>()
      let ended = false
      const workers = await work(async (_, signal) => {
        begun.resolve()
        while (!signal.aborted) await sleep(5)
        await sleep(30)
        ended = true
      })
      await add()
      await soon('the job', begun.promise)
      await soon('the stop', workers.stop(GRACE))
      assert.equal(ended, true)
    })
  })
}
