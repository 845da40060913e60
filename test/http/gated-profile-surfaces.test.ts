import { defineEvent, defineModule, html } from '@eep/core/module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Person, signUp } from '../support/accounts.ts'
import { client, type Headers, type Response } from '../support/client.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { TRACES as FIELD_TRACES, FIELDS, FIELD_NAMES as PROFILE_FIELD_NAMES } from '../support/profile-fields.ts'
import { untilIndexed } from '../support/search.ts'
import { cookieOf, createCashApp, header } from '../support/shop.ts'
import { newMember } from '../support/teams.ts'

/**
 * The leak table: every GET of the OpenAPI document, in every format, with its headers. A new surface is covered by being
 * there.
 */
interface Operation {
  readonly 'x-auth': string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
}

const NAME = 'quiet-writer'
const DID = `did:web:profiles.example:u:${NAME}`

/** The fields of the profile, its files, and what a module of the host adds to it. */
const TRACES = { ...FIELD_TRACES, files: /zz-file/, musings: /zz-musing/ }
type Field = keyof typeof TRACES
const FIELD_NAMES: readonly Field[] = [...PROFILE_FIELD_NAMES, 'files', 'musings']

const mused = defineEvent('musings.musing_written', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ text: z.string() }),
  changelog: true,
  summary: 'A profile wrote a musing',
})

let muse: (profileId: number) => Promise<void>
const musings = defineModule({
  name: 'musings',
  events: [mused],
  profilePart: {
    key: 'musings',
    after: 'about',
    limit: 3,
    resource: 'musings.list',
    title: () => 'Musings',
    load: async (_read, { username }) => (username === NAME ? ['zz-musing about engines'] : []),
    json: (items) => items.map(String),
    markdown: (items) => items.join(),
    html: (items) => html`<p>${items.join()}</p>`,
    links: (items) =>
      items.length === 0
        ? {}
        : {
            record: { musings: 'https://profiles.example/zz-musing' },
            eep: { musings: 'zz-musing' },
            header: [{ rel: 'musings', href: '/zz-musing', title: 'zz-musing' }],
            feedPath: '/zz-musing',
          },
    readChanges: async () => (event) => (event.type === mused.type ? { text: 'zz-musing' } : undefined),
  },
  create({ write }) {
    muse = (profileId) => write(async (_tx, emit) => emit(mused, { text: 'quiet' }, { profileId }))
    return {}
  },
})

const payment = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }
const GATES = [
  ['one pattern for all fields', ['content.*'], ['profile.*', 'files.*', 'musings.*']],
  [
    'a pattern for each field',
    ['profile.*', 'content.*'],
    [...[...PROFILE_FIELD_NAMES, 'files'].map((name) => `profile.${name}`), 'files.*', 'musings.list'],
  ],
  ['no tier that covers a field', ['content.*'], ['content.notes.*']],
] as const

const ACCEPTED = ['application/json', 'text/markdown', 'text/toon', 'text/html']

let test: Awaited<ReturnType<typeof createCashApp>>
let owner: Person
let other: Person
let surfaces: readonly { readonly url: string; readonly isPublic: boolean }[]

const shownIn = ({ headers, body }: Response) => {
  const text = `${JSON.stringify(headers)}\n${body}`
  return FIELD_NAMES.filter((name) => TRACES[name].test(text))
}

/** The surfaces that give fields away to a reader, and which. */
async function shownTo(headers?: Headers): Promise<Readonly<Record<string, readonly Field[]>>> {
  const found: [string, readonly Field[]][] = []
  for (const { url, isPublic } of surfaces) {
    if (!isPublic && !headers) continue
    const read = (accept: string) => client(test.app).get(url, { accept, ...headers })
    const shown = (await Promise.all(ACCEPTED.map(read))).flatMap(shownIn)
    if (shown.length > 0) found.push([url, FIELD_NAMES.filter((name) => shown.includes(name))])
  }
  return Object.fromEntries(found)
}

async function setGate(open: readonly string[], access: readonly string[]) {
  const tiers = { public: { requirements: [], access: open }, reader: { requirements: [payment], access } }
  const saved = await owner.put(`/eep/gates/${DID}`, { default_tier: 'public', tiers })
  expect(saved.statusCode, saved.body).toBe(200)
  await untilIndexed(test.app)
}

/** Every read of the OpenAPI document that may be about the profile. */
async function surfacesOf(ids: readonly number[]) {
  const inPath: Readonly<Record<string, string>> = {
    suffix: 'json',
    username: NAME,
    slug: NAME,
    prefix: 'u',
    did: encodeURIComponent(DID),
    path: 'engines',
    '*': 'engines',
  }
  const inQuery: Readonly<Record<string, string>> = {
    q: 'quiet',
    did: DID,
    source: DID,
    profile_id: String(owner.account.active_profile_id),
    username: NAME,
    resource: 'profile.bio',
  }
  const { paths } = (await client(test.app).get('/docs/openapi.json')).json()
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, { get }]) => {
    // The schema of profiles names every trait.
    if (!get || path === '/docs/openapi.json') return []
    const asked = (get.parameters ?? []).filter(({ name, in: place }) => place === 'query' && name in inQuery)
    const query = new URLSearchParams(Object.fromEntries(asked.map(({ name }) => [name, inQuery[name] ?? ''])))
    const withId = (id: number) => path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => inPath[name] ?? String(id))
    const urls = [...new Set(ids.map(withId))].flatMap((url) => [url, ...(asked.length > 0 ? [`${url}?${query}`] : [])])
    return urls.map((url) => ({ url, isPublic: get['x-auth'] === 'none' }))
  })
}

beforeAll(async () => {
  test = await createCashApp({ withSearch: true, ...OPEN_FEED, modules: [musings] })
  const { app } = test
  owner = await signUp(app, NAME)
  other = await signUp(app)
  const profileId = owner.account.active_profile_id
  const saved = await owner.put(`/profiles/u/${NAME}`, { full_name: 'Quiet Writer', ...FIELDS })
  expect(saved.statusCode, saved.body).toBe(200)
  const file = await upload(app, [field('username', NAME), fileOf('A file.', 'zz-file.txt')], owner.headers)
  const page = { profile_id: profileId, title: 'Engines', status: 'published', body: '' }
  const { id: pageId } = (await owner.post('/manage/pages', page)).json()
  await muse(profileId)
  const { id: postId } = await newPost(owner, 'A quiet post.')
  await other.post(`/connections/u/${NAME}`)
  await owner.post(`/connections/u/${other.account.username}`)
  surfaces = await surfacesOf([profileId, file.json().id, pageId, postId])
  await untilIndexed(app)
})
afterAll(() => test.close())

/** The surfaces that show one profile to those who may see it. */
const ITS_OWN = [
  `/u/${NAME}`,
  `/profiles/u/${NAME}`,
  `/u/${NAME}/agent-card.json`,
  `/eep/capabilities/${encodeURIComponent(DID)}`,
]

it('shows fields without a gate on the surfaces that the other tests watch', async () => {
  const shown = await shownTo(other.headers)
  expect(shownIn(await other.post(`/connections/u/${NAME}`))).toEqual(['avatar_url'])
  for (const url of ITS_OWN.slice(0, 2)) expect(shown[url], url).toEqual(FIELD_NAMES)
  expect(Object.keys(shown)).toEqual(
    expect.arrayContaining([
      ...ITS_OWN,
      '/llms.txt',
      '/llms-full.txt',
      '/search?q=quiet',
      '/search/suggest?q=quiet',
      '/connections/followers',
      '/connections/following',
      '/feed',
      `/feed/u/${NAME}`,
      '/files/1',
      `/u/${NAME}/changelog`,
    ]),
  )
})

describe.for(GATES)('a gate with %s', ([, open, sold]) => {
  it('leaves the fields out of every surface for other accounts and anonymous visitors', async () => {
    await setGate(open, sold)
    expect(await shownTo(other.headers)).toEqual({})
    expect(await shownTo()).toEqual({})
    expect(shownIn(await other.post(`/connections/u/${NAME}`))).toEqual([])
  })
})

describe.for(GATES.slice(0, 2))('with %s', ([, open, sold]) => {
  it('shows all fields to the owner, a viewer of the team and a buyer, with other tags than to others', async () => {
    await setGate(open, sold)
    const { active_profile_id: id } = owner.account
    const viewer = await newMember(test.app, { owner, id, team: `/profiles/${id}/team` }, 'viewer')
    const challenge = await client(test.app).get(`/u/${NAME}?fields=bio`)
    const proof = test.cashWallets.answer(header(challenge, 'payment-required'), { wallet: `0x${'a'.repeat(40)}` })
    const paid = await client(test.app).get(`/u/${NAME}?fields=bio`, proof)
    const buyer = { headers: { cookie: `eep_payer=${cookieOf(paid, 'eep_payer')}` } }
    for (const { headers } of [owner, viewer, buyer]) {
      for (const url of ITS_OWN) {
        for (const accept of ACCEPTED) {
          const answer = await client(test.app).get(url, { accept, ...headers })
          expect(answer.statusCode, url).toBe(200)
          expect(shownIn(answer), url).toContain(url.includes('/capabilities/') ? 'capabilities' : 'bio')
          expect(header(answer, 'cache-control'), url).toMatch(/^private/)
          const known = { accept, 'if-none-match': header(answer, 'etag') }
          expect((await client(test.app).get(url, known)).statusCode, url).not.toBe(304)
        }
      }
    }
  })
})
