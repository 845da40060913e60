import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let owner: Person
beforeAll(async () => {
  test = await createTestApp()
  owner = await signUp(test.app)
})
afterAll(() => test.close())

const START = { starts_at: '2026-07-01T18:00:00', timezone: 'Europe/Berlin', venue: 'Pier 4' }

/** Creates an event, and returns its path. */
async function newEvent(username: string, typeData: object, more: object = {}): Promise<string> {
  const event = { profile_type: 'event', username, full_name: 'Harbour day', type_data: typeData, ...more }
  const { statusCode, body } = await owner.post('/profiles', event)
  if (statusCode !== 200) throw new Error(body)
  return `/e/${username}`
}

const { get } = { get: (url: string, headers?: Record<string, string>) => client(test.app).get(url, headers) }

describe('the calendar file of an event', () => {
  it('is a download with its start, and returns 304 while nothing changed', async () => {
    const path = await newEvent('harbour-day', START)
    const { statusCode, headers, body } = await get(`${path}/event.ics`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="harbour-day.ics"')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body.split('\r\n')).toEqual(
      expect.arrayContaining(['DTSTART:20260701T160000Z', 'SUMMARY:Harbour day', 'LOCATION:Pier 4']),
    )
    const again = await get(`${path}/event.ics`, { 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
    const page = await get(path, { accept: 'text/html' })
    expect(page.body).toContain(`href="${path}/event.ics" download>Add to calendar</a>`)
  })

  it('does not exist for an event without a start, whose page has no link to it', async () => {
    const path = await newEvent('some-day', { venue: 'Pier 5' })
    const response = await get(`${path}/event.ics`)
    expect([response.statusCode, codeOf(response)]).toEqual([404, 'no_calendar'])
    expect((await get(path, { accept: 'text/html' })).body).not.toContain('event.ics')
  })

  it('is not found for an event that only its team sees', async () => {
    const path = await newEvent('hidden-day', START, { visibility: 'private' })
    const response = await get(`${path}/event.ics`)
    expect([response.statusCode, codeOf(response)]).toEqual([404, 'profile_not_found'])
  })

  it('has nothing that a gate closes', async () => {
    const path = await newEvent('gated-day', START, { bio: 'A secret plan' })
    const gate = (access: readonly string[]) => ({
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        guest: { requirements: [{ type: 'trust', min_score: 90 }], access },
      },
    })
    const put = (access: readonly string[]) =>
      owner.put('/eep/gates/did:web:profiles.example:e:gated-day', gate(access))
    expect((await put(['profile.bio'])).statusCode).toBe(200)
    const open = await get(`${path}/event.ics`)
    expect(open.statusCode).toBe(200)
    expect(open.body).not.toContain('secret')
    expect((await put(['profile.type_data'])).statusCode).toBe(200)
    expect((await get(`${path}/event.ics`)).statusCode).toBe(404)
  })
})

it('links each ticket of an event to the page that it opens', async () => {
  const path = await newEvent('paid-day', START)
  const { id } = (await owner.get(`${path}?format=json`)).json<{ id: number }>()
  const page = { profile_id: id, title: 'Your ticket', body: 'Show this.', status: 'published' }
  expect((await owner.post('/manage/pages', page)).statusCode).toBe(201)
  const gate = await owner.put('/eep/gates/did:web:profiles.example:e:paid-day', {
    default_tier: 'public',
    allow: 'unpayable',
    tiers: {
      public: { requirements: [], access: ['profile.*'] },
      standard: {
        label: 'Standard',
        requirements: [{ type: 'payment', amount: 5, currency: 'usd', per: 'once' }],
        access: ['content.your_ticket'],
      },
    },
  })
  expect(gate.statusCode, gate.body).toBe(200)
  const { body } = await get(path, { accept: 'text/html' })
  expect(body).toContain('<h2>Tickets</h2>')
  expect(body).toContain(`href="${path}/content/your-ticket" aria-describedby="offer-standard">Get a ticket</a>`)
})

it('begins with the cheapest ticket that a payment alone buys', async () => {
  const path = await newEvent('many-tickets', START)
  const price = (amount: number) => ({ type: 'payment', amount, currency: 'usd', per: 'once' })
  const gate = await owner.put('/eep/gates/did:web:profiles.example:e:many-tickets', {
    default_tier: 'public',
    allow: 'unpayable',
    tiers: {
      public: { requirements: [], access: ['profile.*'] },
      standard: { requirements: [price(9)], access: ['content.hall'] },
      balcony: { requirements: [price(5)], access: ['content.balcony'] },
      member: { requirements: [price(1), { type: 'trust', min_score: 90 }], access: ['content.lounge'] },
    },
  })
  expect(gate.statusCode, gate.body).toBe(200)
  const { body } = await get(path, { accept: 'text/html' })
  const links = [...body.matchAll(/<a class="btn" href="([^"]+)">(.+?)<\/a>/g)].map(([, href, text]) => [href, text])
  expect(links).toEqual([[`${path}/content/balcony`, expect.stringMatching(/^Get a ticket · <bdi>\$5\.00 .+<\/bdi>$/)]])
})
