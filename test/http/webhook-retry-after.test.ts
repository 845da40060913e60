import { beforeEach, describe, expect, it } from 'vitest'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, rename } from '../support/webhooks.ts'

const HOUR_MS = 3_600_000
let now = Date.now()
const retrySeconds = [5, 3_600]
const { setUp, database } = await openWebhooks({ clock: () => new Date(now), webhooks: { retrySeconds } })

const isDueIn = (ms: number) => database.storage.read.webhooks?.isDue(new Date(now + ms))

/** A webhook whose receiver failed once with these headers. */
async function failed(status: number, headers: Record<string, string>) {
  const webhook = await setUp()
  const { hook, ada, made, profile } = webhook
  hook.answerWith((_received, response) => response.writeHead(status, headers).end())
  await rename(profile, 'One')
  const [attempt] = await soon(async () => {
    const { attempts } = (await ada.get(`${made.path}/delivery-log`)).json()
    expect(attempts).toHaveLength(1)
    return attempts
  })
  // The next attempt waits until the lease is released.
  await soon(async () => expect(await isDueIn(10 * HOUR_MS)).toBe(true))
  hook.answerWith((_received, response) => response.writeHead(204).end())
  return { ...webhook, attempt }
}

beforeEach(() => {
  now += 10 * HOUR_MS
})

describe('a receiver that asks to wait', () => {
  it.each([
    [429, '20', 20_000],
    [503, () => new Date(now + 30_000).toUTCString(), 28_000],
    [503, '86400', HOUR_MS],
  ])(
    'with %i and Retry-After gets nothing before that time, at most the longest step',
    async (status, header, waitMs) => {
      const retryAfter = typeof header === 'string' ? header : header()
      const { hook, profile, ada, made, attempt } = await failed(status, { 'retry-after': retryAfter })
      expect(attempt).toMatchObject({ status_code: status, retry_after: retryAfter, final_status: 'failed' })
      await rename(profile, 'Two')
      await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(2))
      expect(await isDueIn(waitMs - 1)).toBe(false)
      now += waitMs + 2_000
      await soon(() => expect(hook.received).toHaveLength(3))
      await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(0))
      const [first, again, second] = hook.received.map(({ headers }) => headers['webhook-id'])
      expect([again === first, second === first]).toEqual([true, false])
    },
  )

  it.each(['test', 'redeliver', 'replay', 'pause, then resume'])(
    'is asked again immediately when the owner wants it: %s',
    async (action) => {
      const { hook, ada, made } = await failed(503, { 'retry-after': '3600' })
      const received = hook.received.length
      const [{ event_id: eventId }] = (await ada.get(`${made.path}/delivery-log`)).json().attempts
      const since = new Date(now - HOUR_MS).toISOString()
      const bodies: Record<string, object> = { redeliver: { event_ids: [eventId] }, replay: { since } }
      for (const step of action.split(', then ')) {
        const answer = await ada.post(`${made.path}/${step}`, bodies[step])
        expect(answer.statusCode, answer.body).toBeLessThan(300)
      }
      await soon(() => expect(hook.received.length).toBeGreaterThan(received))
    },
  )

  it.each([
    [429, '2'],
    [429, 'soon'],
    [429, '-5'],
    [429, 'Sun, 06 Nov 1994 08:49:37 GMT'],
    [500, '3000'],
  ])('with %i and the header %s gets the next attempt after the usual step', async (status, retryAfter) => {
    await failed(status, { 'retry-after': retryAfter })
    expect(await isDueIn(4_999)).toBe(false)
    expect(await isDueIn(5_000)).toBe(true)
    now += HOUR_MS
  })
})
