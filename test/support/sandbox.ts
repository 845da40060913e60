import { type PaymentChallenge, type PaymentRail, parsePaymentChallenges, type Storage } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { expect } from 'vitest'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestApp, type TestAppOptions } from './app.ts'
import { client, type Headers, type Response } from './client.ts'
import { mergeOptions } from './options.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The service as a sandbox: with test cards, and other rails for play money after them. */
export async function createSandboxApp(
  options: TestAppOptions = {},
  others: (storage: Storage) => readonly PaymentRail[] = () => [],
) {
  const database = await openStorage()
  const { storage } = database
  const rail = sandboxRail({ storage, secret: SECRET, now: options.clock })
  const defaults = {
    storage,
    modules: [sandbox()],
    // Outcomes are resolved by the requests of a test, not by the reconciler.
    payments: { rails: [rail, ...others(storage)], settlementLeaseMs: 600_000 },
  }
  const test = await createTestApp(mergeOptions(defaults, options))
  return {
    ...test,
    rail,
    /** The payment of a page as the processor of the sandbox has it. */
    async paymentOf(session: string) {
      const all = await storage.read.sandboxPayments.list(
        ['open', 'paid', 'declined', 'unknown', 'canceled', 'expired'],
        10_000,
      )
      const found = all.find(({ details }) => details.credentialId === session)
      if (!found) throw new Error(`the checkout ${session} does not exist`)
      return found
    },
    async close() {
      await test.close()
      await database.close()
    },
  }
}

/** A browser without script: it keeps cookies, sends forms, and follows no redirect by itself. */
export function openBrowser(app: TestApp, headers: Headers = {}) {
  const jar = new Map<string, string>()
  const pathOf = (url: string) => (url.startsWith(PUBLIC_URL) ? url.slice(PUBLIC_URL.length) : url)

  async function send(method: 'GET' | 'POST', url: string, body?: string): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await client(app).send(method, pathOf(url), body, {
      accept: 'text/html',
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && { 'content-type': FORM, origin: PUBLIC_URL }),
      ...headers,
    })
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const get = (url: string) => send('GET', url)
  const post = (url: string, fields: Readonly<Record<string, string>>) =>
    send('POST', url, new URLSearchParams(fields).toString())

  /** Presses the button of a page for cards. Returns where it leads. */
  async function buy(url: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { body } = await get(url)
    const [, action = '', inside = ''] = /<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(body) ?? []
    const fields = [
      ...inside.replaceAll(/<input type="checkbox"[^>]*>/g, '').matchAll(/name="(\w+)" value="([^"]*)"/g),
    ].map(([, name = '', value = '']) => [name, value])
    return post(action, { ...Object.fromEntries(fields), ...more })
  }

  /** Opens the checkout page of a page that is for sale. Returns its id. */
  async function checkout(url: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const opened = await buy(url, more)
    const [, id = ''] = /\/sandbox\/checkout\/([\w-]+)$/.exec(String(opened.headers.location)) ?? []
    expect([opened.statusCode, id.length], opened.body).toEqual([303, 22])
    return id
  }

  return {
    get,
    post,
    buy,
    checkout,
    /** Presses a button of the checkout page. */
    answer: (id: string, answer: string, more: Readonly<Record<string, string>> = {}) =>
      post(`/sandbox/checkout/${id}`, { answer, ...more }),
  }
}

/** The challenge for cards in a 402. */
export function cardChallenge({ headers }: Pick<Response, 'headers'>): PaymentChallenge {
  const values = [headers['www-authenticate'] ?? []].flat().map(String)
  const challenge = parsePaymentChallenges(values).find(({ method }) => method === 'stripe')
  if (!challenge) throw new Error('The answer has no challenge for cards')
  return challenge
}

/** What a challenge asks for: the members that clients pass on to `createToken`. */
export function askedBy({ request, expires = '' }: PaymentChallenge) {
  const { amount, currency, methodDetails } = JSON.parse(Buffer.from(request, 'base64url').toString())
  const expiresAt = Math.floor(Date.parse(expires) / 1000)
  return { amount, currency, networkId: methodDetails.networkId, expiresAt } as {
    readonly amount: string
    readonly currency: string
    readonly networkId: string
    readonly expiresAt: number
  }
}

/** Makes a token for a challenge. */
export async function makeToken(app: TestApp, challenge: PaymentChallenge, changes: object = {}): Promise<string> {
  const body = { paymentMethod: 'pm_sandbox_ok', ...askedBy(challenge), metadata: { agent: 'a test' }, ...changes }
  const made = await client(app).post('/sandbox/tokens', body)
  expect(made.statusCode, made.body).toBe(201)
  return made.json<{ spt: string }>().spt
}
