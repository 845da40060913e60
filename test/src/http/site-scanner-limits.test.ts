import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { PRIVATE_ADDRESSES } from '../support/private-addresses.ts'
import { openSite, scanned, type WireCheck } from '../support/sites.ts'

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
    expect(checks.find(({ id }) => id === 'llms-txt')?.evidence).toMatch(/took longer than 5 s|The scan ended/)
    await site.close()
  })
})
