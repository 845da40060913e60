import { defineEvent, defineModule, html, type ProfilePart } from '@eep/core/module'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client, type Headers } from '../support/client.ts'
import { cookieOf, header } from '../support/shop.ts'

const quotePublished = defineEvent('quotes.quote_published', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ text: z.string() }),
  changelog: true,
  summary: 'A profile published a quote',
})

const stored = new Map<number, readonly string[]>()
let fails = false
let publish: (profileId: number, text: string) => Promise<void>

const quotesOfProfiles: ProfilePart<string> = {
  key: 'quotes',
  after: 'skills',
  limit: 2,
  resource: 'quotes.list',
  invalidatedBy: [quotePublished],
  title: () => 'Quotes',
  async load(_read, { id }) {
    if (fails) throw new Error('no quotes now')
    return stored.get(id) ?? []
  },
  json: (quotes) => [...quotes],
  updatedAt: () => new Date('2026-03-04T05:06:07.000Z'),
  readChanges: async () => (event) =>
    event.type === quotePublished.type ? { quote: String(event.data.text) } : undefined,
  links: (_quotes, { publicUrl, path }) => ({ record: { quotes: `${publicUrl}/quotes${path}` } }),
  markdown: (quotes) => quotes.map((quote) => `- ${quote}`).join('\n'),
  html: (quotes) => quotes.length > 0 && html`<ul>${quotes.map((quote) => html`<li>${quote}</li>`)}</ul>`,
}

const quotes = defineModule({
  name: 'quotes',
  events: [quotePublished],
  profilePart: quotesOfProfiles,
  create({ write }) {
    publish = async (profileId, text) => {
      stored.set(profileId, [...(stored.get(profileId) ?? []), text])
      await write(async (_tx, emit) => emit(quotePublished, { text }, { profileId }))
    }
    return {}
  },
})

/** A part with the name of a field in gates, and another key. */
const notes = defineModule({
  name: 'profile',
  profilePart: {
    ...quotesOfProfiles,
    key: 'profile_notes',
    resource: 'profile.bio',
    title: () => 'Notes',
    load: async () => ['Note about the bio'],
    updatedAt: undefined as never,
    readChanges: undefined as never,
  },
})

/** A part of a module with the name of a field. */
const remarks = defineModule({
  name: 'bio',
  profilePart: {
    ...quotesOfProfiles,
    key: 'bio_remarks',
    resource: 'bio.list',
    title: () => 'Remarks',
    load: async () => ['A cheap remark'],
    updatedAt: undefined as never,
    readChanges: undefined as never,
    links: () => ({ record: { quotes: 'https://other.example/' } }),
  },
})

const cashWallets = createCashWallets()
const appWithQuotes = () =>
  createTestApp({ modules: [quotes, notes, remarks], payments: { rails: [cashRail({ cashWallets })] } })
let test: Awaited<ReturnType<typeof appWithQuotes>>
beforeAll(async () => {
  test = await appWithQuotes()
})
afterAll(() => test.close())

const { get } = client(() => test.app)

async function quotedProfile(...texts: readonly string[]) {
  const { headers, account } = await signUp(test.app)
  const { username, active_profile_id: id } = account
  await client(test.app).put(`/profiles/u/${username}`, { bio: 'Analyst', skills: ['Engines'] }, headers)
  for (const text of texts) await publish(id, text)
  return { headers, username, id, path: `/u/${username}` }
}

it('keeps the address that a part adds to the links of a profile when a later part adds another one', async () => {
  const { path } = await quotedProfile('First')
  const { links, bio_remarks } = (await get(`${path}?format=json`)).json()
  expect(bio_remarks).toEqual(['A cheap remark'])
  expect(links.quotes).toBe(`https://profiles.example/quotes${path}`)
})

it("writes the part of a host's module into every format of a profile, after the section that it names", async () => {
  const { path } = await quotedProfile('First', 'Second', 'Third')
  const record = (await get(`${path}?format=json`)).json()
  expect(record.quotes).toEqual(['First', 'Second'])
  expect(record.links.quotes).toBe(`https://profiles.example/quotes${path}`)
  const { body: markdown } = await get(`${path}?format=markdown`)
  expect(markdown).toContain('## Quotes\n\n- First\n- Second\n')
  expect(markdown.indexOf('## Skills')).toBeLessThan(markdown.indexOf('## Quotes'))
  const { body: page } = await get(path, { accept: 'text/html' })
  expect(page).toContain('<section><h2>Quotes</h2><ul><li>First</li><li>Second</li></ul></section>')
})

it('shows a change of a part at the next read when an event of its module invalidates it', async () => {
  const { path, id } = await quotedProfile('First')
  expect((await get(`${path}?format=json`)).json().quotes).toEqual(['First'])
  await publish(id, 'Second')
  expect((await get(`${path}?format=json`)).json().quotes).toEqual(['First', 'Second'])
})

/** Gates names, each for an amount, and opens everything else. */
async function sell(
  { headers, username }: Pick<Awaited<ReturnType<typeof quotedProfile>>, 'headers' | 'username'>,
  name: string,
  amounts: Readonly<Record<string, number>> = { [name]: 1 },
) {
  const requirements = (amount: number) => [{ type: 'payment', amount, currency: 'usdc', per: 'day' }]
  const sold = Object.entries(amounts).map(([access, amount], at) => [
    at === 0 ? 'reader' : `reader_${at}`,
    { requirements: requirements(amount), access: [access] },
  ])
  const tiers = {
    public: { requirements: [], access: ['profile.*', 'content.*', 'bio.*'] },
    ...Object.fromEntries(sold),
  }
  const url = `/eep/gates/did:web:profiles.example:u:${username}`
  const saved = await client(test.app).put(url, { default_tier: 'public', tiers }, headers)
  expect(saved.statusCode, saved.body).toBe(200)
}

it('does not reveal when the items of a gated part changed', async () => {
  const profile = await quotedProfile('Secret words')
  const changedAt = async () => (await get(`${profile.path}/freshness?format=json`)).json().content_updated_at
  expect(await changedAt()).toBe('2026-03-04T05:06:07.000Z')
  await sell(profile, 'quotes.list')
  expect(await changedAt()).toBeNull()
})

it('leaves the changes of a gated part out of the changelog', async () => {
  const profile = await quotedProfile('Secret words')
  const changelog = async () => (await get(`${profile.path}/changelog?format=json`)).body
  expect(await changelog()).toContain('quotes.quote_published')
  await sell(profile, 'quotes.list')
  expect(await changelog()).not.toContain('quotes.quote_published')
})

it('closes a part with the field of profiles whose name in gates it shares', async () => {
  const profile = await quotedProfile('Secret words')
  await sell(profile, 'profile.bio')
  for (const format of ['json', 'markdown']) {
    const { body } = await get(`${profile.path}?format=${format}`)
    expect(body).toContain('Engines')
    expect(body).not.toContain('Note about the bio')
  }
})

it('sells the field of profiles whose name in gates a part shares when a request requires the part', async () => {
  const profile = await quotedProfile('Secret words')
  await sell(profile, 'profile.bio')
  expect((await get(`${profile.path}?format=json&fields=profile_notes`)).statusCode).toBe(402)
})

const FORMATS: readonly (readonly [url: string, headers: Headers])[] = [
  ['?format=json', {}],
  ['?format=markdown', {}],
  ['?format=toon', {}],
  ['', { accept: 'text/html' }],
]

it.each([
  ['part', 'bio_remarks', 'A cheap remark', 'Analyst'],
  ['field', 'bio', 'Analyst', 'A cheap remark'],
])(
  'opens only the %s to its buyer when a field and a part of a module with its name are sold for different prices',
  async (_what, wanted, bought, other) => {
    const profile = await quotedProfile()
    const { path } = profile
    await sell(profile, 'both', { 'profile.bio': 100, 'bio.list': 1 })
    const url = `${path}?format=json&fields=${wanted}`
    const proof = cashWallets.answer(header(await get(url), 'payment-required'))
    const paid = await get(url, proof)
    expect(paid.statusCode, paid.body).toBe(200)
    const buyer = { cookie: `eep_payer=${cookieOf(paid, 'eep_payer')}` }
    for (const reader of [{}, buyer, {}, buyer]) {
      for (const [suffix, accept] of FORMATS) {
        const { body } = await get(path + suffix, { ...accept, ...reader })
        expect(body.includes(bought), suffix).toBe(reader === buyer)
        expect(body, suffix).not.toContain(other)
      }
    }
    expect(paid.body).not.toContain(other)
  },
)

it('leaves a gated part out of all formats, names it, and sells it when a request requires it', async () => {
  const profile = await quotedProfile('Secret words')
  const { path, headers } = profile
  await sell(profile, 'quotes.list')
  for (const url of [`${path}?format=json`, `${path}?format=markdown`, `${path}?format=toon`])
    expect((await get(url)).body).not.toContain('Secret words')
  expect((await get(path, { accept: 'text/html' })).body).not.toContain('Secret words')
  expect((await get(`${path}?format=json`)).json().gated).toEqual([{ field: 'quotes', tiers: ['reader'] }])
  expect((await get(`${path}?format=json&fields=quotes`)).statusCode).toBe(402)
  const own = await client(test.app).get(`${path}?format=json`, headers)
  expect(own.json().quotes).toEqual(['Secret words'])
})

it('shows a profile without a part that fails, and with it at the next read', async () => {
  const { path } = await quotedProfile('First')
  fails = true
  const without = await get(`${path}?format=json`)
  fails = false
  expect(without.statusCode).toBe(200)
  expect(without.json()).not.toHaveProperty('quotes')
  expect((await get(`${path}?format=json`)).json().quotes).toEqual(['First'])
})

it.each([
  ['a key', { ...quotesOfProfiles, key: 'posts' }, 'part of profiles "posts"'],
  ['a name in gates', { ...quotesOfProfiles, resource: 'content.quotes' }, 'resource "content.quotes"'],
])(
  "refuses a part of a host's module with %s that does not begin with the name of the module",
  async (_what, part, what) => {
    const module = defineModule({ name: 'quotes', profilePart: part })
    await expect(createTestApp({ modules: [module] })).rejects.toThrow(
      new TypeError(`The ${what} of the module "quotes" must begin with "quotes"`),
    )
  },
)

it.each([
  'bio',
  'id',
  'did',
  'email',
  'gated',
  'links',
  'eep',
  'trust_score',
  'contents',
  'services',
  'role',
  'metrics',
])("refuses a part of a host's module with the key %s, which profiles already have", async (key) => {
  const name = key.replaceAll('_', '-')
  const module = defineModule({ name, profilePart: { ...quotesOfProfiles, key, resource: `${name}.list` } })
  await expect(createTestApp({ modules: [module] })).rejects.toThrow(
    new RegExp(`^The module "${name}" defines the part of profiles "${key}", which the `),
  )
})

it('refuses two modules that add the same part to profiles, and names both', async () => {
  const other = defineModule({ name: 'quotes-more', profilePart: { ...quotesOfProfiles, key: 'quotes-more' } })
  const twin = defineModule({ name: 'quotes', profilePart: { ...quotesOfProfiles, key: 'quotes-more' } })
  await expect(
    createTestApp({
      modules: [{ ...other, profilePart: { ...quotesOfProfiles, key: 'quotes-more', resource: 'quotes-more' } }, twin],
    }),
  ).rejects.toThrow(
    new TypeError(
      'The module "quotes" defines the part of profiles "quotes-more", which the module "quotes-more" defines',
    ),
  )
})
