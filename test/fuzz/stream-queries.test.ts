import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { SEED } from '../support/seed.ts'

/** How many queries are sent to each route. CI sends four times as many. */
const RUNS = Math.ceil(125 * Number(process.env.RANDOM_THOUSANDS ?? 0.25))

let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Writer
beforeAll(async () => {
  test = await createTestApp({
    signals: { anonymousStreams: 100_000 },
    limits: { plans: { community: { concurrentStreams: 1_000 } } },
  })
  ada = await createWriter(test.app)
})
afterAll(() => test.close())

const word = fc.constantFrom(
  'content.*',
  '*',
  'u/ada',
  'did:web:profiles.example:u:ada',
  ',',
  '102r014',
  '%00',
  '%ff',
  '=',
)
const value = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.array(word).map((words) => words.join('')),
  fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[#\s]/g, '+')),
)
const name = fc.constantFrom('types', 'events', 'source', 'last_event_id', 'since', 'until', 'limit', 'api_key')
const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((pairs) => pairs.map(([key, text]) => `${key}=${text}`).join('&'))
const lastEventId = fc.string().filter((text) => /^[\x20-\x7e]*$/.test(text))

it.each(['/stream/signals', '/stream/signals/following', '/eep/stream', '/eep/events'])(
  `responds to any query of %s with a stream, or with an error that names the problem: RANDOM_SEED=${SEED}`,
  async (path) => {
    await fc.assert(
      fc.asyncProperty(query, lastEventId, async (text, id) => {
        const url = `${path}?${text}`
        const headers = { ...ada.headers, 'last-event-id': id }
        const response = await client(test.app).get(url, headers)
        if (response.statusCode !== 200) {
          expect([400, 410], `${url} ${response.body}`).toContain(response.statusCode)
          expect(codeOf(response)).toMatch(
            /^(?:validation_failed|retention_window_exceeded|malformed_url|invalid_url)$/,
          )
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
    // Each stream was left by its client.
    await expect.poll(() => test.app.eep.signals.stats().subscriptions, { timeout: 60_000 }).toBe(0)
    expect((await test.app.inject('/health/ready')).statusCode).toBe(200)
  },
  600_000,
)
