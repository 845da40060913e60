import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { openInstances } from '../support/instances.ts'
import { untilJob } from '../support/jobs.ts'
import { PRIVATE_ADDRESSES } from '../support/private-addresses.ts'
import { openSite, scanned, type WireCheck } from '../support/sites.ts'

const instances = await openInstances({ http: { allowPrivateHosts: ['127.0.0.1'] } })
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Person

beforeAll(async () => {
  test = await createTestApp({ http: { allowPrivateHosts: ['127.0.0.1'] } })
  ada = await signUp(test.app, 'ada')
})
afterAll(() => test.close())

describe('addresses that are not public', () => {
  let strict: Awaited<ReturnType<typeof createTestApp>>
  let eve: Person
  beforeAll(async () => {
    strict = await createTestApp()
    eve = await signUp(strict.app, 'eve')
  })
  afterAll(() => strict.close())

  it('are at least 200', () => {
    expect(new Set(PRIVATE_ADDRESSES).size).toBeGreaterThanOrEqual(200)
  })

  it.each(PRIVATE_ADDRESSES)('are refused: %s', async (url) => {
    const response = await eve.post('/scanner', { url })
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'address_refused'])
  })

  it('leave no jobs', async () => {
    expect((await eve.get('/jobs')).json().data).toEqual([])
  })
})

describe('two instances', () => {
  it('scan a host once at a time, whichever of them gets the requests', async () => {
    const { database, instance } = instances
    const apps = [await instance(), await instance({ storage: database.another() })]
    const people = await Promise.all(apps.map((app) => signUp(app)))
    const released = Promise.withResolvers<void>()
    const site = await openSite(async (_, response) => {
      await released.promise
      response.end('User-agent: *\n')
    })
    const asked = await Promise.all(
      people.flatMap((person) => [1, 2].map(() => person.post('/scanner', { url: site.url }))),
    )
    expect(asked.map(({ statusCode }) => statusCode).sort()).toEqual([202, 409, 409, 409])
    released.resolve()
    const accepted = asked.findIndex(({ statusCode }) => statusCode === 202)
    const [app, person] = [apps[Math.floor(accepted / 2)], people[Math.floor(accepted / 2)]]
    if (!app || !person) throw new Error('no scan was accepted')
    expect((await untilJob(app, asked[accepted]?.json().id, person)).status).toBe('succeeded')
    await site.close()
  })
})

describe('a hostile site', () => {
  it('that sends slowly and without end costs one scan its time, and the scan has a report', async () => {
    const timers = new Set<NodeJS.Timeout>()
    const site = await openSite((request, response) => {
      if (request.url === '/robots.txt' || request.url === '/') return false
      timers.add(setInterval(() => response.write('.'.repeat(1_000)), 50))
    })
    // A scan that does not end by itself would fail with job_timed_out.
    const { status, result } = await scanned(test.app, ada, site.url)
    for (const timer of timers) clearInterval(timer)
    expect(status).toBe('succeeded')
    expect(site.requests.length).toBeLessThanOrEqual(40)
    expect(result).toMatchObject({ grade: 'F', level: 'none' })
    const checks = result?.checks as readonly WireCheck[]
    expect(checks.find(({ id }) => id === 'llms-txt')?.detail).toMatch(/^The scan ended/)
    await site.close()
  })
})
