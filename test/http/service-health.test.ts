import { cashRail } from '@eep/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'

const refused = async () => {
  throw new Error('a secret of the connection')
}
const held = Promise.withResolvers<void>()
const kind = {
  name: 'held',
  timeoutMs: 600_000,
  attempts: 1,
  run: async () => {
    await held.promise
    return {}
  },
}

let test: Awaited<ReturnType<typeof createTestApp>>
let admin: Person

beforeAll(async () => {
  test = await createTestApp({
    email: { mailer: { send: async () => {}, ping: async () => {} } },
    payments: { rails: [cashRail()] },
    jobs: { kinds: [kind] },
  })
  admin = await signUp(test.app)
  await makeAdministrator(test, admin)
})
afterAll(async () => {
  held.resolve()
  await test.close()
})

it('returns the state of the parts, jobs, emails, consumers and rails to administrators, uncached', async () => {
  const { id } = await test.app.eep.jobs.request({
    kind: 'held',
    accountId: admin.account.id,
    profileId: null,
    input: {},
  })
  expect(id).toBeTypeOf('string')
  const response = await admin.get('/admin/health')
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'private, no-store'])
  const { jobs, mail, ...health } = response.json()
  expect(health).toMatchObject({
    status: 'ready',
    parts: { storage: 'available', mail: 'available' },
    deliveries: 0,
    consumers: expect.any(Array),
    index: 'off',
    rails: [{ id: 'cash', settling: 0, unknown: 0 }],
  })
  expect(jobs.queued + jobs.running).toBe(1)
  expect(jobs.kinds).toMatchObject([{ kind: 'held', count: 1, oldest_seconds: expect.any(Number) }])
  expect(jobs.oldest_seconds).toBe(jobs.kinds[0].oldest_seconds)
  await expect.poll(async () => (await admin.get('/admin/health')).json().mail.sent).toBeGreaterThan(0)
  expect(mail).toMatchObject({ configured: true, failed: 0, dropped: 0, last_failed_at: null })
  expect((await (await signUp(test.app)).get('/admin/health')).statusCode).toBe(403)
})

it('names the parts that are down and counts emails that failed, without any text of an error', async () => {
  const { app, close } = await createTestApp({
    storage: { ...test.storage, workload: refused },
    email: { mailer: { send: refused, ping: refused } },
    payments: { rails: [{ ...cashRail(), ping: refused }] },
  })
  await signUp(app)
  const read = () => client(app).get('/admin/health', admin.headers)
  await expect.poll(async () => (await read()).json().mail.failed).toBeGreaterThan(0)
  const response = await read()
  expect(response.json()).toMatchObject({
    status: 'degraded',
    parts: { storage: 'available', mail: 'unavailable', cash: 'unavailable' },
    jobs: null,
    deliveries: null,
    consumers: null,
    mail: { last_failed_at: expect.any(String) },
    rails: [{ id: 'cash', available: false, settling: null, unknown: null }],
  })
  expect(response.body).not.toContain('secret')
  await close()
})

it('returns the size and the lag of the search index, and null while it does not answer', async () => {
  const withSearch = await createTestApp({ storage: test.storage, withSearch: true })
  const { index } = (await client(withSearch.app).get('/admin/health', admin.headers)).json()
  expect(index).toEqual({
    documents: expect.any(Number),
    pending_texts: expect.any(Number),
    rebuilding: expect.any(Boolean),
    lag_seconds: expect.any(Number),
  })
  await withSearch.close()
  const database = await openStorage()
  const broken = await createTestApp({
    storage: test.storage,
    search: { index: { ...database.storage.search(), stats: refused } },
  })
  const response = await client(broken.app).get('/admin/health', admin.headers)
  expect([response.statusCode, response.json().index]).toEqual([200, null])
  await broken.close()
  await database.close()
})
