import { setTimeout as sleep } from 'node:timers/promises'
import { type Measured, median, type Pair } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Arrived, WebhookReceiver } from './webhook-receiver.ts'
import type { WebhookSubject } from './webhook-subject.ts'

/** Deliveries per second that one instance must reach. */
const MUST_PER_SECOND = 300

/** How many webhooks there are, and how many events wait for each of them. */
const CASES = [
  { webhooks: 1, events: 1_000 },
  { webhooks: 32, events: 100 },
] as const

const ROUNDS = 3
const WRITERS = 8

/**
 * Deliveries per second of one instance to a receiver on this machine: the webhooks are paused while events are written, and resumed
 * together.
 */
export async function measureWebhooks(connectionString: string) {
  const subject = await startServer<WebhookSubject>('./webhook-subject.ts', { connectionString })
  const receiver = await startServer<WebhookReceiver>('./webhook-receiver.ts', {})
  const { url, authorization } = subject.report

  async function send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<Answer>
  }
  const arrived = async () => (await (await fetch(`${receiver.report.url}/count`)).json()) as Arrived
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await sleep(100)
  }

  async function round(paths: readonly string[], events: number): Promise<number> {
    await Promise.all(paths.map((path) => send('POST', `${path}/pause`)))
    let written = 0
    const write = async () => {
      while (written < events) await send('PUT', '/profiles/u/ada', { full_name: `Ada ${Date.now()} ${written++}` })
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    // Writers that were under way add a few events.
    const pendingOf = async (path: string) => (await send<{ readonly pending: number }>('GET', path)).pending
    for (const path of paths) await until(async () => (await pendingOf(path)) >= written)
    await fetch(`${receiver.report.url}/reset`)
    await Promise.all(paths.map((path) => send('POST', `${path}/resume`)))
    await until(async () => (await arrived()).count >= written * paths.length)
    const { count, ms } = await arrived()
    return ((count - 1) * 1_000) / ms
  }

  const rows: ({ readonly what: string; readonly must: number } & Pair)[] = []
  const paths: string[] = []
  try {
    for (const { webhooks, events } of CASES) {
      while (paths.length < webhooks) {
        const made = await send<{ readonly subscription_id: string }>('POST', '/eep/subscribe', {
          source_did: 'did:web:profiles.example:u:ada',
          event_types: ['entity.updated'],
          delivery_method: 'webhook',
          delivery_url: `${receiver.report.url}/${paths.length}`,
        })
        paths.push(`/eep/subscriptions/${made.subscription_id}`)
      }
      await round(paths, 50)
      const rates: number[] = []
      for (let each = 0; each < ROUNDS; each++) rates.push(await round(paths, events))
      const measured = (requestsPerSecond: number): Measured => ({ requestsPerSecond, p99Ms: Number.NaN })
      const rate = median(rates)
      rows.push({
        what: `deliveries of ${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'}, each with ${events} events`,
        must: 1,
        subject: measured(rate),
        bare: measured(MUST_PER_SECOND),
        ratio: rate / MUST_PER_SECOND,
      })
    }
    return rows
  } finally {
    subject.stop()
    receiver.stop()
  }
}
