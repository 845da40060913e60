import { brotliCompressSync, constants } from 'node:zlib'
import { sandbox, sandboxBilling, sandboxRail } from '@eep/core/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { openBrowser } from '../support/pages.ts'
import { sent } from '../support/pictures.ts'

/** Of the HTML of a page with its style, in one response. */
const MAX_BYTES = 20_000

let test: Awaited<ReturnType<typeof createTestApp>>
let close: () => Promise<unknown>
const visited: Record<string, string> = {}
const own: Record<string, string> = {}

/** Text without repetition, as people write it: compression must not make a page look small. */
const words = (count: number) =>
  Array.from({ length: count }, (_, at) => (at * 2_654_435_761).toString(36).slice(-6)).join(' ')

const PROFILES = {
  o: ['organization', { legal_name: 'Engines', industry: 'Machines', founded: 1823, headquarters: 'London' }],
  l: ['place', { address: { city: 'London' }, geo: { lat: 51.5, lng: -0.1 }, opening_hours: ['Monday 9 to 5'] }],
  a: ['asset', { category: 'Machine', condition: 'new', value: { amount: '17', currency: 'gbp' } }],
  p: ['product', { sku: 'A1', brand: 'Engines', price: { amount: '12.50', currency: 'eur' } }],
  k: ['knowledge', { subject: 'Engines', abstract: 'All of it', authors: ['Ada'], license: 'CC0' }],
  agent: ['agent', { provider: 'Engines', model: 'One', endpoint: 'https://agent.example/', protocols: ['a2a'] }],
  e: ['event', { starts_at: '2030-12-01T19:00:00Z', timezone: 'Asia/Tokyo', venue: 'London' }],
  x: ['custom', { fields: { Wheels: '31' } }],
} as const

beforeAll(async () => {
  const database = await openStorage()
  const { storage } = database
  test = await createTestApp({
    storage,
    withSearch: true,
    ...OPEN_FEED,
    payments: { rails: [sandboxRail({ storage, secret: SECRET })] },
    subscriptions: { billing: sandboxBilling({ storage }) },
    modules: [sandbox({ key: 'a-key-of-the-sandbox-for-tests' })],
  })
  close = async () => {
    await test.close()
    await database.close()
  }
  const ada = await createWriter(test.app, 'weighed')
  const file = await sent(test.app, ada, words(500), 'words.txt')
  await ada.put('/profiles/u/weighed', {
    full_name: 'Ada Lovelace',
    bio: words(80),
    accent: '#0b57d0',
    skills: ['Analysis', 'Engines'],
    socials: { website: 'https://ada.example/' },
    agent_instructions: words(30),
  })
  for (let at = 0; at < 20; at += 1) {
    await ada.newPage({
      title: `Notes ${at}`,
      slug: `notes${at}`,
      body: `# Notes\n\n${words(600)}`,
      excerpt: words(30),
    })
  }
  for (let at = 0; at < 20; at += 1) await ada.post('/feed', { body: `${at} ${words(40)}` })
  const { id: post } = (await ada.post('/feed', { body: words(40) })).json()
  const pay = (amount: number, per: string) => ({
    label: `Tier ${per}`,
    requirements: [{ type: 'payment', amount, currency: 'eur', per }],
    access: ['content.notes1'],
  })
  const saved = await ada.put('/eep/gates/did:web:profiles.example:u:weighed', {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'files.*', 'content.notes2', 'content.notes3'] },
      day: pay(2, 'day'),
      month: pay(5, 'month'),
      once: pay(49, 'once'),
    },
  })
  expect(saved.statusCode, saved.body).toBe(200)
  for (const [prefix, [profile_type, type_data]] of Object.entries(PROFILES)) {
    const made = await ada.post('/profiles', { profile_type, username: `weighed-${prefix}`, type_data, bio: words(60) })
    expect(made.statusCode, made.body).toBe(200)
    visited[`a profile at /${prefix}`] = `/${prefix}/weighed-${prefix}`
  }
  Object.assign(visited, {
    'the start page': '/',
    'the page to discover': '/discover',
    search: '/search?q=notes',
    'a person': '/u/weighed',
    'a table of contents': '/u/weighed/content',
    'an article': '/u/weighed/content/notes2',
    'a paywall': '/u/weighed/content/notes1',
    'the text of a file': `/files/${file}/markdown`,
    feed: '/feed',
    'a feed of a profile': '/feed/u/weighed',
    'a post': `/feed/posts/${post}`,
    'the changes of a profile': '/u/weighed/changelog',
    trust: '/trust/u/weighed',
    prices: '/pricing',
    'the sign-in': '/login',
    'the sign-up': '/register',
    'a forgotten password': '/forgot-password',
    'a page that does not exist': '/nowhere',
    'a page for people with an account': '/feed/following',
    purchases: '/purchases',
    'how to pay': '/docs/payments',
    'an error': '/docs/errors/profile_not_found',
    'an operation': '/docs/operations/getProfile',
  })
  Object.assign(own, {
    dashboard: '/dashboard',
    security: '/account/security',
    'the second factor': '/account/second-factor',
    notifications: '/account/notifications',
    transfers: '/account/transfers',
    plan: '/account/plan',
    messages: '/messages',
    'a profile with its menu': '/u/weighed',
    'the feed with its forms': '/feed',
    'the page of the sandbox': '/sandbox?key=a-key-of-the-sandbox-for-tests',
    mailbox: '/sandbox/mail',
  })
}, 120_000)
afterAll(() => close())

const weightOf = (body: string) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length

describe('the HTML of a page with its style', () => {
  it(`has at most ${MAX_BYTES} bytes, compressed as the service compresses it`, async () => {
    const weights: Record<string, number> = {}
    for (const [name, path] of Object.entries(visited)) {
      const { body, headers } = await client(test.app).get(path, { accept: 'text/html' })
      expect([name, headers['content-type']]).toEqual([name, 'text/html; charset=utf-8'])
      weights[name] = weightOf(body)
    }
    const tab = openBrowser(test.app, { host: new URL(PUBLIC_URL).host })
    await tab.submit('/login', { email: 'weighed@example.com', password: PASSWORD })
    for (const [name, path] of Object.entries(own)) {
      const first = await tab.open(path)
      const { body, headers } = first.statusCode === 303 ? await tab.open(String(first.headers.location)) : first
      expect([name, headers['content-type']]).toEqual([name, 'text/html; charset=utf-8'])
      weights[name] = weightOf(body)
    }
    if (process.env.WEIGHTS) console.info(weights)
    const heavy = Object.entries(weights).filter(([, bytes]) => bytes > MAX_BYTES)
    expect(heavy).toEqual([])
  })
})
