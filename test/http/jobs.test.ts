import { randomUUID } from 'node:crypto'
import type { JobKind } from '@eep/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { ask, kindOf, openEnd, tooDull, untilJob } from '../support/jobs.ts'

/** Nothing is found by looking: what begins soon was announced. */
const NEVER_LOOKS = 60_000

describe('jobs', () => {
  const heard: unknown[] = []
  const given: [string, string][] = []
  let test: Awaited<ReturnType<typeof createTestApp>>
  let app: TestApp
  let ada: Awaited<ReturnType<typeof signUp>>
  let eve: Awaited<ReturnType<typeof signUp>>
  let run: JobKind['run'] = async () => ({})

  const back = async (ended: { id: string; status: string }) => void given.push([ended.id, ended.status])
  const kinds = [
    kindOf((job) => run(job), { ended: back }),
    kindOf(async () => ({}), { name: 'other' }),
    kindOf(({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))), {
      name: 'slow',
      timeoutMs: 60,
    }),
    kindOf(
      async () => {
        throw new Error('getaddrinfo ENOTFOUND internal.example')
      },
      { name: 'broken', attempts: 1 },
    ),
  ]

  beforeAll(async () => {
    test = await createTestApp({ jobs: { kinds, pollIntervalMs: 500, concurrency: 2 } })
    app = test.app
    ada = await signUp(app)
    eve = await signUp(app)
    app.eep.on('jobs.job_finished', ({ data, profileId }) => void heard.push({ ...data, profileId }))
  })
  afterAll(() => test.close())

  const read = (path: string, { headers }: { headers: Record<string, string> } = ada) => client(app).get(path, headers)
  const cancel = (id: string, { headers }: { headers: Record<string, string> } = ada) =>
    client(app).delete(`/jobs/${id}`, headers)

  it('runs jobs, and returns their results', async () => {
    run = async ({ job, progress }) => {
      await progress(Number.NaN)
      await progress(1_000)
      return { said: job.input.word ?? null }
    }
    const { id } = await ask(app, ada, { word: 'hello' })
    const job = await untilJob(app, id, ada)
    expect(job).toEqual({
      id,
      kind: 'test',
      status: 'succeeded',
      progress: 100,
      result: { said: 'hello' },
      error: null,
      created_at: expect.any(String),
      finished_at: expect.any(String),
    })
    await expect
      .poll(() => heard)
      .toContainEqual({ jobId: id, kind: 'test', status: 'succeeded', profileId: ada.account.active_profile_id })
    expect(given).toContainEqual([id, 'succeeded'])
  })

  it('reports the progress of jobs, and ends them when they are cancelled', async () => {
    const { run: waiting, begun, aborted } = openEnd()
    run = waiting
    const { id } = await ask(app, ada)
    await begun
    expect((await read(`/jobs/${id}`)).json()).toMatchObject({ status: 'running', progress: 25, finished_at: null })
    const cancelled = await cancel(id)
    expect([cancelled.statusCode, cancelled.json().status]).toEqual([200, 'cancelled'])
    await aborted
    const again = await cancel(id)
    expect([again.statusCode, again.json()]).toEqual([200, cancelled.json()])
    expect((await read(`/jobs/${id}`)).json()).toEqual(cancelled.json())
    expect(given.filter(([ended]) => ended === id)).toEqual([[id, 'cancelled']])
  })

  it('never starts a job that was cancelled before', async () => {
    const ends = [openEnd(), openEnd()] as const
    const runs = [...ends]
    const begun: string[] = []
    run = (job) => {
      begun.push(job.job.id)
      return runs.shift()?.run(job) ?? Promise.resolve({})
    }
    const busy = [await ask(app, ada), await ask(app, ada)]
    await Promise.all(ends.map((each) => each.begun))
    const waiting = await ask(app, ada)
    expect((await cancel(waiting.id)).json()).toMatchObject({ status: 'cancelled', progress: 0 })
    const last = await ask(app, ada)
    for (const each of ends) each.end()
    for (const { id } of [...busy, last]) await untilJob(app, id, ada)
    expect(begun).not.toContain(waiting.id)
  })

  it('does not change a job that has ended', async () => {
    run = async () => ({})
    const { id } = await ask(app, ada)
    await untilJob(app, id, ada)
    const refused = await cancel(id)
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'job_ended'])
  })

  it('fails a job with an error that its owner can act on', async () => {
    run = async () => {
      throw tooDull({ message: 'Page 3 is dull' })
    }
    const { id } = await ask(app, ada)
    expect(await untilJob(app, id, ada)).toMatchObject({
      status: 'failed',
      result: null,
      error: { code: 'test_too_dull', message: 'Page 3 is dull' },
    })
    expect(given).toContainEqual([id, 'failed'])
  })

  it('retries a job after other errors', async () => {
    let runs = 0
    run = async () => {
      runs += 1
      if (runs === 1) throw new Error('connection reset')
      return { runs }
    }
    const { id } = await ask(app, ada)
    expect(await untilJob(app, id, ada)).toMatchObject({ status: 'succeeded', result: { runs: 2 }, error: null })
  })

  it('fails a job after several attempts, and does not reveal the cause', async () => {
    const { id } = await ask(app, ada, {}, 'broken')
    const { status, error } = await untilJob(app, id, ada)
    expect([status, error?.code]).toEqual(['failed', 'job_failed'])
    expect(error?.message).not.toContain('internal.example')
  })

  it('fails a job that exceeds its time limit', async () => {
    const { id } = await ask(app, ada, {}, 'slow')
    expect(await untilJob(app, id, ada)).toMatchObject({ status: 'failed', error: { code: 'job_timed_out' } })
  })

  it('hides jobs of other accounts', async () => {
    run = async () => ({})
    const { id } = await ask(app, ada)
    await untilJob(app, id, ada)
    for (const answer of [await read(`/jobs/${id}`, eve), await cancel(id, eve), await read(`/jobs/${randomUUID()}`)]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'job_not_found'])
    }
    expect((await read('/jobs', eve)).json()).toMatchObject({ data: [], pagination: { total: 0, has_more: false } })
    expect((await read('/jobs/no-uuid')).statusCode).toBe(404)
  })

  it('lists jobs newest first, in pages and with filters', async () => {
    run = async () => ({})
    const grace = await signUp(app)
    const asked = [await ask(app, grace), await ask(app, grace, {}, 'other'), await ask(app, grace)]
    for (const { id } of asked) await untilJob(app, id, grace)
    const ids = asked.map(({ id }) => id).reverse()
    const list = async (query: string) => (await read(`/jobs?${query}`, grace)).json()
    const first = await list('limit=2')
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect(first.pagination).toMatchObject({ total: 3, has_more: true })
    const rest = await list(`limit=2&cursor=${first.pagination.next_cursor}`)
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect((await list('kind=other&status=succeeded')).data).toMatchObject([{ id: ids[1], kind: 'other' }])
    expect((await list('status=failed')).data).toEqual([])
    for (const query of ['status=done', 'limit=0', 'kind=%00', 'kind=', `kind=${'x'.repeat(65)}`, 'cursor=x']) {
      expect((await read(`/jobs?${query}`, grace)).statusCode, query).toBe(400)
    }
  })

  it('shows jobs to keys of the account, and to a key for one profile only those of that profile', async () => {
    run = async () => ({})
    const grace = await signUp(app)
    const { id } = await ask(app, grace)
    const { id: general } = await app.eep.jobs.request({
      kind: 'test',
      accountId: grace.account.id,
      profileId: null,
      input: {},
    })
    for (const each of [id, general]) await untilJob(app, each, grace)
    const profile_id = grace.account.active_profile_id
    const whole = await newKey(app, grace.headers, { scopes: ['read:content'] })
    const bound = await newKey(app, grace.headers, { scopes: ['read:content'], profile_id })
    expect((await read('/jobs', whole)).json().pagination.total).toBe(2)
    expect((await read('/jobs', bound)).json().data).toMatchObject([{ id }])
    expect((await read(`/jobs/${general}`, bound)).statusCode).toBe(404)
    expect((await read(`/jobs/${id}`, bound)).statusCode).toBe(200)
    expect((await cancel(id, whole)).statusCode).toBe(403)
  })

  it('refuses jobs of unknown accounts and kinds', async () => {
    const unknownUser = { account: { id: randomUUID(), active_profile_id: ada.account.active_profile_id }, headers: {} }
    await expect(ask(app, unknownUser)).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask(app, ada, {}, 'unknown')).rejects.toThrow('No job kind "unknown" is defined')
    expect(() => app.eep.jobs.define(kindOf(run))).toThrow(TypeError)
  })
})

describe('a job', () => {
  it('starts a job soon on the instance that added it', async () => {
    const kinds = [kindOf(async () => ({}))]
    const { app, close } = await createTestApp({ jobs: { kinds, pollIntervalMs: NEVER_LOOKS } })
    const ada = await signUp(app)
    for (let count = 0; count < 3; count++) {
      const { id } = await ask(app, ada)
      expect(await untilJob(app, id, ada, ['succeeded'])).toMatchObject({ status: 'succeeded' })
    }
    await close()
  })

  it('restarts a job after the service stopped, without counting an attempt', async () => {
    const { storage, close } = await openStorage()
    const { run, begun, aborted } = openEnd()
    const kind = (work: JobKind['run']) => ({ kinds: [kindOf(work, { attempts: 0 })], pollIntervalMs: 500 })
    const first = await createTestApp({ storage, jobs: kind(run) })
    const ada = await signUp(first.app)
    const { id } = await ask(first.app, ada)
    await begun
    await first.close()
    await aborted
    expect(await storage.read.jobs.get(id)).toMatchObject({ status: 'queued', progress: 25 })
    const second = await createTestApp({ storage, jobs: kind(async () => ({ again: true })) })
    expect(await untilJob(second.app, id, ada)).toMatchObject({ status: 'succeeded', result: { again: true } })
    await second.close()
    await close()
  })

  it('abandons a job that ignores the stop of the service', async () => {
    const { storage, close } = await openStorage()
    const begun = Promise.withResolvers<void>()
    const deaf = kindOf(() => {
      begun.resolve()
      return new Promise(() => {})
    })
    const first = await createTestApp({ storage, jobs: { kinds: [deaf] } })
    const ada = await signUp(first.app)
    const { id } = await ask(first.app, ada)
    await begun.promise
    await first.close()
    expect(await storage.read.jobs.get(id)).toMatchObject({ status: 'queued' })
    await close()
  })

  it('leaves a place to others while long jobs run', async () => {
    const long = openEnd()
    const kinds = [kindOf(long.run, { name: 'long', isLong: true }), kindOf(async () => ({}))]
    const { app, close } = await createTestApp({ jobs: { kinds, concurrency: 2 } })
    try {
      const [ada, eve, bob] = [await signUp(app), await signUp(app), await signUp(app)]
      const first = await ask(app, ada, {}, 'long')
      await long.begun
      const second = await ask(app, eve, {}, 'long')
      const short = await ask(app, bob)
      expect((await untilJob(app, short.id, bob)).status).toBe('succeeded')
      expect((await client(app).get(`/jobs/${second.id}`, eve.headers)).json().status).toBe('queued')
      long.end()
      for (const [job, person] of [
        [first, ada],
        [second, eve],
      ] as const) {
        expect((await untilJob(app, job.id, person)).status).toBe('succeeded')
      }
    } finally {
      long.end()
      await close()
    }
  })

  it('waits for another one of its account when its kind runs one at a time', async () => {
    const held = openEnd()
    const { app, close } = await createTestApp({
      jobs: {
        kinds: [kindOf(held.run, { oneAtATime: true }), kindOf(async () => ({}), { name: 'other' })],
        concurrency: 3,
      },
    })
    try {
      const ada = await signUp(app)
      const first = await ask(app, ada)
      await held.begun
      const second = await ask(app, ada)
      const other = await ask(app, ada, {}, 'other')
      expect((await untilJob(app, other.id, ada)).status).toBe('succeeded')
      expect((await client(app).get(`/jobs/${second.id}`, ada.headers)).json().status).toBe('queued')
      held.end()
      expect((await untilJob(app, first.id, ada)).status).toBe('succeeded')
      expect((await untilJob(app, second.id, ada)).status).toBe('succeeded')
    } finally {
      held.end()
      await close()
    }
  })

  it('returns 503 for jobs without a queue', async () => {
    const { storage, close } = await openStorage()
    const { queue: _, ...without } = storage
    const test = await createTestApp({ storage: without, jobs: { kinds: [kindOf(async () => ({}))] } })
    const { headers, account } = await signUp(test.app)
    for (const url of ['/jobs', `/jobs/${randomUUID()}`]) {
      const answer = await client(test.app).get(url, headers)
      expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'jobs_disabled'])
    }
    const asked = ask(test.app, { headers, account })
    await expect(asked).rejects.toMatchObject({ code: 'jobs_disabled' })
    await test.close()
    await close()
  })

  it('refuses two definitions of one kind of job', async () => {
    const kinds = [kindOf(async () => ({})), kindOf(async () => ({}))]
    await expect(createTestApp({ jobs: { kinds } })).rejects.toThrow('Two kinds of jobs are named "test"')
  })
})
