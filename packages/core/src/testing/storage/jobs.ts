import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Job, JobOutcome, StartedJob } from '../../ports/storage/jobs.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newJob } from '../records.ts'
import { type Bench, casesFor, HOUR, ODD_JSON, present } from './bench.ts'

const AT = new Date('2026-05-06T07:08:09.123Z')
const succeeded: JobOutcome = { status: 'succeeded', result: ODD_JSON, finishedAt: AT }
const failed: JobOutcome = { status: 'failed', error: { code: 'job_failed', message: 'No' }, finishedAt: AT }

async function add(bench: Bench<'jobs'>, changes: Partial<Job> = {}): Promise<Job> {
  const accountId = changes.accountId ?? (await bench.account()).id
  return present(await bench.write((tx) => tx.jobs.add(newJob(accountId, changes))))
}

async function started(bench: Bench<'jobs'>): Promise<{ readonly id: string; readonly run: string }> {
  const { id } = await add(bench)
  const run = randomUUID()
  present(await bench.write((tx) => tx.jobs.start(id, run)))
  return { id, run }
}

export const jobCases = casesFor(['jobs'], (it, bench) => {
  const start =
    (id: string, run: string) =>
    (tx: Stores<'jobs'>): Promise<StartedJob | undefined> =>
      tx.jobs.start(id, run)

  it('stores all fields of a job from start to end', async () => {
    const profile = await bench.profile()
    const job = newJob(profile.ownerAccountId, { profileId: profile.id, input: ODD_JSON, origin: { requestId: 'a/b' } })
    const queued = present(await bench.write((tx) => tx.jobs.add(job)))
    const fresh = { ...job, status: 'queued', progress: 0, result: null, error: null, finishedAt: null }
    assert.deepEqual(queued, fresh)
    assert.deepEqual(await bench.read.jobs.get(job.id), fresh)
    assert.deepEqual(await bench.write(start(job.id, 'one')), { job: { ...fresh, status: 'running' }, attempt: 1 })
    const ended = await bench.write((tx) => tx.jobs.finish(job.id, 'one', succeeded))
    assert.deepEqual(ended, { ...fresh, status: 'succeeded', progress: 100, result: ODD_JSON, finishedAt: AT })
    assert.deepEqual(await bench.read.jobs.get(job.id), ended)
  })

  it('stores the error and the progress of a failed job', async () => {
    const { id, run } = await started(bench)
    assert.equal(await bench.write((tx) => tx.jobs.progress(id, run, 40)), true)
    const ended = present(await bench.write((tx) => tx.jobs.finish(id, run, failed)))
    assert.deepEqual(
      [ended.status, ended.progress, ended.error, ended.result],
      ['failed', 40, { code: 'job_failed', message: 'No' }, null],
    )
  })

  it('returns undefined for unknown and malformed ids', async () => {
    for (const id of [randomUUID(), 'no-id', '']) {
      const found: readonly unknown[] = await bench.write(async (tx) => [
        await tx.jobs.get(id),
        await tx.jobs.start(id, 'run'),
        await tx.jobs.finish(id, 'run', failed),
        await tx.jobs.cancel(id, AT),
        await tx.jobs.progress(id, 'run', 1),
        await tx.jobs.requeue(id, 'run', true),
      ])
      assert.deepEqual(found, [undefined, undefined, undefined, undefined, false, false])
    }
  })

  it('adds no job for a deleted account or profile', async () => {
    const { id } = await bench.account()
    const attempts = [newJob(randomUUID()), newJob('no-id'), newJob(id, { profileId: Number.MAX_SAFE_INTEGER })]
    for (const job of attempts) assert.equal(await bench.write((tx) => tx.jobs.add(job)), undefined)
  })

  it('never decreases progress', async () => {
    const { id, run } = await started(bench)
    for (const percent of [30, 70, 50, 0]) await bench.write((tx) => tx.jobs.progress(id, run, percent))
    assert.equal((await bench.read.jobs.get(id))?.progress, 70)
  })

  it('gives a job to the last of two runs that start it', async () => {
    const { id } = await add(bench)
    const { first, others } = await bench.overlap(start(id, 'one'), [start(id, 'two')])
    assert.deepEqual([first?.attempt, others.map((other) => other?.attempt)], [1, [2]])
    assert.equal(await bench.write((tx) => tx.jobs.progress(id, 'one', 5)), false)
    assert.equal(await bench.write((tx) => tx.jobs.finish(id, 'one', succeeded)), undefined)
    assert.equal(await bench.write((tx) => tx.jobs.requeue(id, 'one', true)), false)
    assert.equal((await bench.write((tx) => tx.jobs.finish(id, 'two', succeeded)))?.status, 'succeeded')
  })

  it('takes over a job from a run whose process died', async () => {
    const { id, run } = await started(bench)
    assert.equal((await bench.write(start(id, 'heir')))?.attempt, 2)
    assert.equal(await bench.write((tx) => tx.jobs.progress(id, run, 10)), false)
    assert.equal(await bench.write((tx) => tx.jobs.progress(id, 'heir', 20)), true)
  })

  it('ends a job once, by its run or by a cancellation', async () => {
    const finish = (id: string, run: string) => async (tx: Stores<'jobs'>) =>
      (await tx.jobs.finish(id, run, succeeded))?.status
    const cancel = (id: string) => async (tx: Stores<'jobs'>) => (await tx.jobs.cancel(id, AT))?.status
    const one = await started(bench)
    const finished = await bench.overlap(finish(one.id, one.run), [cancel(one.id), cancel(one.id)])
    assert.deepEqual(finished, { first: 'succeeded', others: [undefined, undefined] })
    const other = await started(bench)
    const cancelled = await bench.overlap(cancel(other.id), [finish(other.id, other.run), cancel(other.id)])
    assert.deepEqual(cancelled, { first: 'cancelled', others: [undefined, undefined] })
    assert.equal((await bench.read.jobs.get(other.id))?.status, 'cancelled')
    assert.equal(await bench.write((tx) => tx.jobs.progress(other.id, other.run, 99)), false)
    assert.equal(await bench.write(start(other.id, 'again')), undefined)
  })

  it('continues a run when its cancellation is rolled back', async () => {
    const { id, run } = await started(bench)
    const finish = async (tx: Stores<'jobs'>) => (await tx.jobs.finish(id, run, succeeded))?.status
    const { others } = await bench.overlap((tx) => tx.jobs.cancel(id, AT), [finish], 'rollback')
    assert.deepEqual(others, ['succeeded'])
  })

  it('queues a job again when its run releases it, with or without counting an attempt', async () => {
    const { id, run } = await started(bench)
    assert.equal(await bench.write((tx) => tx.jobs.requeue(id, run, false)), true)
    assert.equal((await bench.read.jobs.get(id))?.status, 'queued')
    assert.equal((await bench.write(start(id, 'second')))?.attempt, 1)
    assert.equal(await bench.write((tx) => tx.jobs.requeue(id, 'second', true)), true)
    assert.equal(await bench.write((tx) => tx.jobs.requeue(id, 'second', true)), false)
    assert.equal((await bench.write(start(id, 'third')))?.attempt, 2)
  })

  it('lists the jobs of an account, newest first, in pages and by filter', async () => {
    const profile = await bench.profile()
    const accountId = profile.ownerAccountId
    const plain = await add(bench, { accountId })
    const ofProfile = await add(bench, { accountId, profileId: profile.id, kind: 'other' })
    const last = await add(bench, { accountId, profileId: profile.id })
    await add(bench)
    const list = async (filter: Parameters<typeof bench.read.jobs.listOfAccount>[1]) =>
      (await bench.read.jobs.listOfAccount(accountId, filter, { limit: 9 })).items.map(({ id }) => id)
    assert.deepEqual(await list({}), [last.id, ofProfile.id, plain.id])
    assert.deepEqual(await list({ profileId: profile.id }), [last.id, ofProfile.id])
    assert.deepEqual(await list({ profileId: null }), [plain.id])
    assert.deepEqual(await list({ kind: 'other', status: 'queued' }), [ofProfile.id])
    assert.deepEqual(await list({ status: 'failed' }), [])
    assert.deepEqual(await list({ kind: '\0' }), [])
    assert.deepEqual(await list({ exceptKinds: ['other', 'third'] }), [last.id, plain.id])
    const first = await bench.read.jobs.listOfAccount(accountId, {}, { limit: 2 })
    assert.deepEqual([first.items, first.total], [[last, ofProfile], 3])
    const rest = await bench.read.jobs.listOfAccount(accountId, {}, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual([rest.items, rest.total, rest.nextCursor], [[plain], 3, undefined])
  })

  it('deletes the jobs of a profile with the profile', async () => {
    const profile = await bench.profile()
    const { id } = await add(bench, { accountId: profile.ownerAccountId, profileId: profile.id })
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.equal(await bench.read.jobs.get(id), undefined)
  })

  it('deletes only jobs that ended long ago', async () => {
    const [old, young] = [await started(bench), await started(bench)]
    const waiting = await add(bench, { createdAt: new Date(AT.getTime() - 9 * HOUR) })
    const ended = (at: number): JobOutcome => ({ ...failed, finishedAt: new Date(at) })
    await bench.write((tx) => tx.jobs.finish(old.id, old.run, ended(AT.getTime() - HOUR)))
    await bench.write((tx) => tx.jobs.finish(young.id, young.run, ended(AT.getTime())))
    assert.equal(await bench.write((tx) => tx.jobs.deleteEnded(AT, 0)), 0)
    while ((await bench.write((tx) => tx.jobs.deleteEnded(AT, 2))) > 0);
    assert.equal(await bench.read.jobs.get(old.id), undefined)
    assert.equal((await bench.read.jobs.get(young.id))?.status, 'failed')
    assert.equal((await bench.read.jobs.get(waiting.id))?.status, 'queued')
  })
})
