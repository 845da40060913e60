import { randomUUID } from 'node:crypto'
import type { OAuthProvider } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, newName, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../support/app.ts'
import { type Client, client } from '../support/client.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'
import { untilIndexed } from '../support/search.ts'

/** A word that only texts of new profiles contain. */
const WORD = 'zebrawood'

/** What lists everything that is public. */
const LISTS = [
  '/',
  '/sitemap.xml',
  '/llms.txt',
  `/search?q=${WORD}&consistency=strong`,
  '/search/suggest?q=zebra',
  '/feed',
  '/feed.atom',
  '/feed?hashtag=zebrawood',
]

const OTHER = 'Another staple 8 horse'

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createTestApp>>
/** An instance on the same database that signs in the users of its host. */
let hosted: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp({
    ...OPEN_FEED,
    withSearch: true,
    email: { mailer: mailbox.mailer },
    profiles: { publicAfterVerification: true },
  })
  hosted = await createTestApp({
    storage: test.storage,
    auth: {
      hostAuth: {
        async authenticate({ headers }) {
          return headers['x-host-user'] ? JSON.parse(String(headers['x-host-user'])) : undefined
        },
      },
    },
    profiles: { publicAfterVerification: true },
  })
})
afterAll(async () => {
  await hosted.close()
  await test.close()
})

/** A client of a user of the host. */
const hostUser = (externalId: string, email: string, emailVerified: boolean) =>
  client(hosted.app).with({ 'x-host-user': JSON.stringify({ externalId, email, emailVerified }) })

const verificationToken = async ({ account }: Person) => tokenIn(await mailbox.take(account.email, 'verification'))

async function verify(person: Person) {
  const token = await verificationToken(person)
  expect((await person.post('/auth/verify', { token })).statusCode).toBe(200)
}

/** Creates a product, and returns its id. */
async function newProduct(person: Person, username: string, visibility = 'public'): Promise<number> {
  expect((await person.post('/profiles', { profile_type: 'product', username, visibility })).statusCode).toBe(200)
  return (await person.get(`/p/${username}`, { accept: 'application/json' })).json().id
}

const addressesOf = (username: string) => [
  `/u/${username}`,
  `/u/${username}/content`,
  `/u/${username}/content/page`,
  `/u/${username}/did.json`,
  `/u/${username}/changelog`,
  `/u/${username}/badge.svg`,
  `/feed/u/${username}`,
  `/resolve?did=did:web:profiles.example:u:${username}`,
]

/** The lists that name a profile, by its username or its word, to a visitor. */
async function listsThatShow(username: string): Promise<readonly string[]> {
  await untilIndexed(test.app)
  const shown = await Promise.all(
    LISTS.map(async (url) => {
      const bodies = await Promise.all(
        ['application/json', 'text/html', '*/*'].map(
          async (accept) => (await client(test.app).get(url, { accept })).body,
        ),
      )
      return bodies.some((body) => body.includes(username) || body.includes(`Name ${WORD}`)) ? [url] : []
    }),
  )
  return shown.flat()
}

const visibilityOf = async (person: Person, id = person.account.active_profile_id) =>
  (await person.get(`/profiles/${id}/visibility`)).json().visibility

/** An account with the word in every text that it can set. */
async function newSpeaker(username: string) {
  const person = await signUp(test.app, username)
  const profileId = person.account.active_profile_id
  await person.put(`/profiles/u/${username}`, { full_name: `Name ${WORD}`, bio: WORD, keywords: [WORD] })
  const page = { profile_id: profileId, title: `Page ${WORD}`, slug: 'page', body: WORD, status: 'published' }
  expect((await person.post('/manage/pages', page)).statusCode).toBe(201)
  await newPost(person, { body: `#${WORD} ${username}` })
  return person
}

describe('profiles of an account without a verified email address', () => {
  it('are at no public address and in no list until it is verified, and then in all of them', async () => {
    const ada = await newSpeaker('ada-new')
    for (const url of addressesOf('ada-new')) expect((await client(test.app).get(url)).statusCode, url).toBe(404)
    expect(await listsThatShow('ada-new')).toEqual([])

    await verify(ada)
    for (const url of addressesOf('ada-new')) {
      expect((await client(test.app).get(url)).statusCode, url).toBe(200)
    }
    expect(await listsThatShow('ada-new')).toEqual(LISTS)
  })

  it('are shown to their owner', async () => {
    const ada = await newSpeaker('ada-owner')
    for (const url of ['/u/ada-owner', '/u/ada-owner/content/page']) expect((await ada.get(url)).statusCode).toBe(200)
    expect(await visibilityOf(ada)).toBe('private')
  })

  it('cannot be shown to others by their owner, also without a link', async () => {
    const ada = await signUp(test.app)
    const id = ada.account.active_profile_id
    for (const visibility of ['public', 'unlisted']) {
      const answer = await ada.put(`/profiles/${id}/visibility`, { visibility })
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'email_not_verified'])
    }
    await verify(ada)
    expect((await ada.put(`/profiles/${id}/visibility`, { visibility: 'unlisted' })).statusCode).toBe(200)
  })

  it('stay private after the verification if their owner chose that', async () => {
    const ada = await signUp(test.app)
    const id = ada.account.active_profile_id
    expect((await ada.put(`/profiles/${id}/visibility`, { visibility: 'private' })).statusCode).toBe(200)
    await verify(ada)
    expect(await visibilityOf(ada)).toBe('private')
  })

  it('become public although an update of the whole profile repeated that they are private', async () => {
    const ada = await signUp(test.app)
    const { visibility } = (await ada.get(`/profiles/u/${ada.account.username}`)).json()
    expect(visibility).toBe('private')
    const saved = await ada.put(`/profiles/u/${ada.account.username}`, { bio: 'Saved', visibility })
    expect(saved.json()).toMatchObject({ bio: 'Saved', visibility: 'private' })
    await verify(ada)
    expect(await visibilityOf(ada)).toBe('public')
  })

  it('cannot be shown to others by an update of the whole profile', async () => {
    const ada = await signUp(test.app)
    const answer = await ada.put(`/profiles/u/${ada.account.username}`, { visibility: 'public' })
    expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'email_not_verified'])
    await verify(ada)
    expect(await visibilityOf(ada)).toBe('public')
  })

  it('get the visibility that they were created with', async () => {
    const ada = await signUp(test.app)
    const created = await Promise.all(
      (['public', 'unlisted', 'private'] as const).map(async (visibility) => {
        const id = await newProduct(ada, `${ada.account.username}-${visibility}`, visibility)
        expect(await visibilityOf(ada, id)).toBe('private')
        return { id, visibility }
      }),
    )
    await verify(ada)
    for (const { id, visibility } of created) expect(await visibilityOf(ada, id)).toBe(visibility)
  })

  it('are announced on the page of the account', async () => {
    const ada = await signUp(test.app)
    const tab = openBrowser(test.app)
    const { email } = ada.account
    expect(leadsTo(await tab.submit('/login', { email, password: PASSWORD }))).toBeDefined()
    const { body } = await tab.open('/dashboard')
    expect(body).toContain('Until then, your profiles are visible to you and your teams only.')
    await verify(ada)
    expect((await tab.open('/dashboard')).body).not.toContain('visible to you and your teams')
  })
})

describe('a transfer of a profile', () => {
  /** A product of an account, offered to another one. */
  async function offered(from: Person, to: Person) {
    const id = await newProduct(from, `${from.account.username}-thing`)
    const transfer = await from.post(`/profiles/${id}/transfers`, { recipient_username: to.account.username })
    return { id, accept: () => to.post(`/transfers/${transfer.json().id}/accept`) }
  }

  it('to an account with a verified address shows the profile that waited', async () => {
    const [from, to] = [await signUp(test.app), await signUp(test.app)]
    await verify(to)
    const { id, accept } = await offered(from, to)
    expect(await visibilityOf(from, id)).toBe('private')
    expect((await accept()).statusCode).toBe(200)
    expect(await visibilityOf(to, id)).toBe('public')
  })

  it('to an account without a verified address hides the profile until then', async () => {
    const [from, to] = [await signUp(test.app), await signUp(test.app)]
    await verify(from)
    const { id, accept } = await offered(from, to)
    expect((await accept()).statusCode).toBe(200)
    expect(await visibilityOf(to, id)).toBe('private')
    await verify(to)
    expect(await visibilityOf(to, id)).toBe('public')
  })
})

describe('a takeover by the owner of the email address', () => {
  /** The owner, signed in at an instance. */
  interface Owner {
    readonly app: TestApp
    readonly owner: Client
  }

  /** How the owner takes the account over. */
  const WAYS: Readonly<Record<string, (impostor: Person) => Promise<Owner>>> = {
    async 'the page of a link without a session'(impostor) {
      const token = await verificationToken(impostor)
      const answer = await openBrowser(test.app).submit('/verify', { token, take_over: 'yes' })
      expect(leadsTo(answer)).toEqual([303, '/verify?done=taken_over'])
      const mail = await mailbox.take(impostor.account.email, 'takenOver')
      expect(mail.text).toContain('Private profiles stay private until you publish them.')
      return signedInWith(impostor, tokenIn(mail))
    },
    async 'a password reset'(impostor) {
      await client(test.app).post('/auth/forgot-password', { email: impostor.account.email })
      return signedInWith(impostor, tokenIn(await mailbox.take(impostor.account.email, 'reset')))
    },
    async 'a host that vouches for the address'(impostor) {
      const owner = hostUser(randomUUID(), impostor.account.email, true)
      expect((await owner.get('/auth/me')).json().id).toBe(impostor.account.id)
      return { app: hosted.app, owner }
    },
  }

  /** The owner of an account after the reset of its password. */
  async function signedInWith({ account }: Person, token: string): Promise<Owner> {
    expect((await client(test.app).post('/auth/reset-password', { token, password: OTHER })).statusCode).toBe(200)
    const session = (await login(test.app, account.email, OTHER)).json()
    return { app: test.app, owner: client(test.app).with({ authorization: `Bearer ${session.token}` }) }
  }

  const isShown = async (app: TestApp, url: string) => (await client(app).get(url)).statusCode === 200

  it('through a verification without a session publishes nothing', async () => {
    const impostor = await signUp(test.app)
    const answer = await client(test.app).post('/auth/verify', { token: await verificationToken(impostor) })
    expect(answer.json()).toMatchObject({ success: true, email_owned: false })
    expect(await isShown(test.app, `/u/${impostor.account.username}`)).toBe(false)
  })

  it.each(Object.entries(WAYS))('through %s publishes nothing until the owner does', async (_way, takeOver) => {
    const impostor = await signUp(test.app)
    const { username, active_profile_id: person } = impostor.account
    const product = await newProduct(impostor, `${username}-fake`, 'unlisted')
    const { app, owner } = await takeOver(impostor)
    expect((await owner.get('/auth/me')).json().email_verified).toBe(true)

    for (const [id, url] of [
      [person, `/u/${username}`],
      [product, `/p/${username}-fake`],
    ] as const) {
      expect(await isShown(app, url), url).toBe(false)
      expect((await owner.put(`/profiles/${id}/visibility`, { visibility: 'public' })).statusCode).toBe(200)
      expect(await isShown(app, url), url).toBe(true)
    }
  })

  it('leaves profiles public that were public before', async () => {
    const open = await createTestApp({ storage: test.storage, email: { mailer: mailbox.mailer } })
    const impostor = await signUp(open.app)
    await WAYS['a password reset']?.(impostor)
    expect(await isShown(test.app, `/u/${impostor.account.username}`)).toBe(true)
    await open.close()
  })
})

describe('a host that reports another address of a user, which is not verified', () => {
  it('leaves the profiles public that were, and hides those that are created from then on', async () => {
    const [id, name] = [randomUUID(), newName()]
    const { username, active_profile_id: person } = (
      await hostUser(id, `${name}@example.com`, true).get('/auth/me')
    ).json()
    const isPublic = async (url: string) => (await client(hosted.app).get(url)).statusCode === 200
    expect(await isPublic(`/u/${username}`)).toBe(true)

    const user = hostUser(id, `${name}-other@example.com`, false)
    expect((await user.get('/auth/me')).json().email_verified).toBe(false)
    expect(await isPublic(`/u/${username}`)).toBe(true)
    await user.post('/profiles', { profile_type: 'product', username: `${name}-later` })
    expect(await isPublic(`/p/${name}-later`)).toBe(false)

    expect((await user.put(`/profiles/${person}/visibility`, { visibility: 'private' })).statusCode).toBe(200)
    const shown = await user.put(`/profiles/${person}/visibility`, { visibility: 'public' })
    expect([shown.statusCode, codeOf(shown)]).toEqual([403, 'email_not_verified'])
  })
})

describe('a service that cannot verify addresses', () => {
  const profiles = { publicAfterVerification: true }
  const provider: OAuthProvider = {
    name: 'campus',
    start: async () => ({ url: 'https://id.example', memory: {} }),
    finish: async () => ({ subject: '1', email: null, emailVerified: false, fullName: null }),
  }

  it.each([
    ['without a mailer, providers and a host that signs in', {}],
    ['with sign-in by providers left out', { oauth: false }],
  ] satisfies [string, TestAppOptions][])('does not start %s', async (_what, options) => {
    await expect(createTestApp({ storage: test.storage, profiles, ...options })).rejects.toThrow(
      'profiles.publicAfterVerification requires',
    )
  })

  it('starts with a provider', async () => {
    const other = await createTestApp({ storage: test.storage, profiles, oauth: { providers: [provider] } })
    expect((await client(other.app).get('/')).statusCode).toBe(200)
    await other.close()
  })
})

it('publishes profiles immediately by default', async () => {
  const other = await createTestApp()
  const ada = await signUp(other.app)
  expect((await client(other.app).get(`/u/${ada.account.username}`)).statusCode).toBe(200)
  await other.close()
})
