import { defineEvent, defineModule, html, type ProfilePart } from '@eep/core/module'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client, type Headers } from '../support/client.ts'

/** What the part does instead of its work, by the name of its function. */
const broken = new Map<string, () => unknown>()
const fail = () => {
  throw new Error('broken on purpose')
}

/** Does the work, unless it is broken. */
function unlessBroken<Value>(name: string, work: () => Value): Value {
  // What a module without types returns.
  return broken.has(name) ? (broken.get(name)?.() as Value) : work()
}

const motto = defineEvent('mottos.motto_chosen', {
  audience: 'internal',
  subject: 'profile',
  data: z.object({ text: z.string() }),
  changelog: true,
  summary: 'A profile chose a motto',
})

const TEXT = 'Festina lente'
const mottosOfProfiles: ProfilePart<string> = {
  key: 'mottos',
  after: 'about',
  limit: 5,
  invalidatedBy: [motto],
  title: () => unlessBroken('title', () => 'Mottos'),
  load: async () => [TEXT],
  loadMany: async (_read, profiles) =>
    unlessBroken('loadMany', () => new Map(profiles.map(({ id }) => [id, [TEXT]] as const))),
  forReaders: {
    select: (items) => unlessBroken('select', () => items),
    isForTeam: () => unlessBroken('isForTeam', () => false),
  },
  json: (items) => unlessBroken('json', () => [...items]),
  markdown: (items) => unlessBroken('markdown', () => items.join()),
  html: (items) => unlessBroken('html', () => html`<p>${items.join()}</p>`),
  links: () => unlessBroken('links', () => ({ record: { mottos: 'https://profiles.example/mottos' } })),
  updatedAt: () => unlessBroken('updatedAt', () => new Date('2026-03-04T05:06:07.000Z')),
  readChanges: async () =>
    unlessBroken(
      'readChanges',
      () =>
        ({ type }) =>
          unlessBroken('readChange', () => (type === motto.type ? { text: TEXT } : undefined)),
    ),
}

let choose: (profileId: number) => Promise<void>
const mottos = defineModule({
  name: 'mottos',
  events: [motto],
  profilePart: mottosOfProfiles,
  create({ write }) {
    choose = (profileId) => write(async (_tx, emit) => emit(motto, { text: TEXT }, { profileId }))
    return {}
  },
})

const logged: unknown[] = []
const ignore = () => {}
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  const logger = { info: ignore, warn: ignore, error: (...line: unknown[]) => logged.push(line) }
  test = await createTestApp({ modules: [mottos], logger })
})
afterAll(() => test.close())
beforeEach(() => {
  broken.clear()
  logged.length = 0
})

async function profileWithMotto() {
  const { headers, account } = await signUp(test.app)
  const { username, active_profile_id: id } = account
  const saved = await client(test.app).put(`/profiles/u/${username}`, { bio: 'Analyst' }, headers)
  expect(saved.statusCode, saved.body).toBe(200)
  await choose(id)
  return { headers, path: `/u/${username}` }
}

const READS: readonly (readonly [url: string, headers: Headers])[] = [
  ['?format=json', {}],
  ['?format=markdown', {}],
  ['?format=toon', {}],
  ['', { accept: 'text/html' }],
  ['/freshness?format=json', {}],
  ['/changelog?format=json', {}],
  ['/changelog', { accept: 'text/html' }],
]

/** The bodies of all reads of a profile. */
async function readAll(path: string) {
  const bodies: Record<string, string> = {}
  for (const [suffix, headers] of READS) {
    const response = await client(test.app).get(path + suffix, headers)
    expect(response.statusCode, `${suffix}: ${response.body}`).toBe(200)
    bodies[suffix] = response.body
  }
  return bodies
}

const loggedOnce = () => [
  [
    expect.objectContaining({ err: expect.any(Error), part: 'mottos', module: 'mottos' }),
    'a part of a profile failed and is left out',
  ],
]

const notHeaders = () => ({ header: [{ rel: 'mottos', href: '/mottos', title: 'two\nlines' }] })
const itself: Record<string, unknown> = {}
itself.self = itself

it.each([
  ['json throws', 'json', fail, ['?format=json', '?format=toon']],
  ['json returns what JSON cannot represent', 'json', () => [1n], ['?format=json', '?format=toon']],
  ['json returns a circle', 'json', () => itself, ['?format=json', '?format=toon']],
  ['json returns nothing', 'json', () => undefined, ['?format=json', '?format=toon']],
  ['markdown throws', 'markdown', fail, ['?format=markdown']],
  ['html throws', 'html', fail, ['']],
  ['title throws', 'title', fail, ['?format=markdown', '']],
  ['select throws', 'select', fail, ['?format=json', '?format=markdown', '?format=toon', '']],
  ['select returns nothing', 'select', () => undefined, ['?format=json', '?format=markdown', '?format=toon', '']],
  ['links throws', 'links', fail, []],
  ['links returns what no header can have', 'links', notHeaders, []],
  ['updatedAt throws', 'updatedAt', fail, []],
  ['updatedAt returns no date', 'updatedAt', () => new Date(Number.NaN), []],
  ['isForTeam throws', 'isForTeam', fail, []],
  ['readChanges throws', 'readChanges', fail, ['/changelog?format=json']],
  ['the function of readChanges throws', 'readChange', fail, ['/changelog?format=json']],
  [
    'the function of readChanges returns a page without an address',
    'readChange',
    () => ({ page: 1 }),
    ['/changelog?format=json'],
  ],
])(
  "leaves out what a host's part of profiles adds to a response when %s, and logs it",
  async (_what, name, as, missing) => {
    const { path } = await profileWithMotto()
    broken.set(name, as)
    const bodies = await readAll(path)
    const traces = { '/changelog?format=json': motto.type, '/changelog': motto.type }
    for (const [suffix, body] of Object.entries(bodies)) {
      if (suffix === '/freshness?format=json' || suffix === '/changelog') continue
      const trace = traces[suffix as keyof typeof traces] ?? TEXT
      expect(body.includes(trace), `${suffix}: ${body}`).toBe(!missing.some((each) => each === suffix))
    }
    expect(logged.length).toBeGreaterThan(0)
    for (const line of logged) expect([line]).toEqual(loggedOnce())
  },
)

it.each(['json', 'markdown', 'html', 'select', 'readChanges'])(
  'writes a part of profiles into the next response when its %s works again',
  async (name) => {
    const { path } = await profileWithMotto()
    broken.set(name, fail)
    await readAll(path)
    broken.clear()
    const bodies = await readAll(path)
    for (const suffix of ['?format=json', '?format=markdown', '?format=toon', ''])
      expect(bodies[suffix], suffix).toContain(TEXT)
    expect(bodies['/changelog?format=json']).toContain(motto.type)
  },
)

it('logs a part of profiles that fails in one response once', async () => {
  const { path } = await profileWithMotto()
  broken.set('links', fail)
  expect((await client(test.app).get(`${path}?format=json`)).statusCode).toBe(200)
  expect(logged).toEqual(loggedOnce())
})

it('leaves a part of profiles that fails out of the dashboard', async () => {
  const { headers } = await profileWithMotto()
  broken.set('loadMany', fail)
  const response = await client(test.app).get('/dashboard/profiles', headers)
  expect(response.statusCode, response.body).toBe(200)
  expect(response.body).not.toContain(TEXT)
  expect(logged).toEqual(loggedOnce())
})
