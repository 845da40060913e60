import { type OptionalGroup, type Storage, storageUnavailable } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeAdministrator,
  newRegistration,
  PASSWORD,
  type Person,
  proveAddress,
  signUp,
  signUpListed,
} from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'

const HTML = 'text/html'
const pathOf = ({ account }: Person) => `/u/${account.username}`

describe('the start page for people', () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let now = new Date()
  const aMinuteLater = () => {
    now = new Date(now.getTime() + 61_000)
  }
  beforeAll(async () => {
    test = await createTestApp({ name: 'Atlas', withSearch: true, clock: () => now })
  })
  afterAll(() => test.close())

  const read = (headers: Record<string, string> = {}) => client(test.app).get('/', { accept: HTML, ...headers })

  it('has the name of the service, a search and links to an account', async () => {
    const { statusCode, headers, body } = await read()
    expect(statusCode).toBe(200)
    expect(body).toContain('<h1 dir="ltr"><bdi>Atlas</bdi></h1>')
    expect(body).toMatch(/<form action="\/search" role="search"[^>]*><input type="search" name="q"/)
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(body).toContain('href="/register">Create an account</a>')
    expect(body).toContain('href="/login">Sign in</a>')
  })

  it('is in the language of the reader', async () => {
    const { body } = await read({ 'accept-language': 'de' })
    expect(body).toContain('>Konto erstellen</a>')
    expect(body).toContain('>Suche</button>')
  })

  it('names the documents for agents and describes the service in the language of the reader', async () => {
    for (const [language, tagline, guide] of [
      ['en', 'Profiles that people', 'Guide for agents'],
      ['de', 'Profile, die Menschen', 'Anleitung für Agenten'],
      ['ja', '人とAIエージェント', 'エージェント向けガイド'],
      ['ar', 'ملفات يقرؤها الناس', 'دليل الوكلاء'],
    ]) {
      const { body } = await read({ 'accept-language': String(language) })
      expect(body).toContain(`<p class="lead">${tagline}`)
      expect(body).toContain(`>${guide}</a></li>`)
      const [, documents = ''] = /<ol>([\s\S]*?)<\/ol>/.exec(body) ?? []
      if (language !== 'en') expect(documents).not.toMatch(/>[^<]*\b(of|for|with|every)\b[^<]*</i)
    }
  })

  it('shows the description of the host as it is', async () => {
    const own = await createTestApp({ description: 'All about engines.' })
    const { body } = await client(own.app).get('/', { accept: HTML, 'accept-language': 'de' })
    await own.close()
    expect(body).toContain('<p class="lead">All about engines.</p>')
  })

  it('lists new public profiles within a minute, newest first', async () => {
    const ada = await signUp(test.app)
    const grace = await signUpListed(test.app)
    await ada.put(`/profiles${pathOf(ada)}`, { full_name: 'Ada <Lovelace>', bio: 'Wrote the first\n\nprogram' })
    aMinuteLater()
    const { body, headers } = await read()
    expect(headers['cache-control']).toBe('public, max-age=60')
    expect(body).toContain(`<a href="${pathOf(ada)}"><bdi>Ada &lt;Lovelace&gt;</bdi></a></h3><small>Person</small>`)
    expect(body).toContain('<p lang="">Wrote the first program</p>')
    expect(body.indexOf(pathOf(grace))).toBeGreaterThan(0)
    expect(body.indexOf(pathOf(grace))).toBeLessThan(body.indexOf(pathOf(ada)))
  })

  it('lists no profile that is unlisted, private or about to be deleted', async () => {
    const people = await Promise.all([signUpListed(test.app), signUpListed(test.app), signUpListed(test.app)])
    aMinuteLater()
    for (const one of people) expect((await read()).body).toContain(`"${pathOf(one)}"`)
    const [unlisted, hidden, leaving] = people
    await unlisted?.put(`/profiles${pathOf(unlisted)}`, { visibility: 'unlisted' })
    await hidden?.put(`/profiles${pathOf(hidden)}`, { visibility: 'private' })
    await leaving?.send('DELETE', '/auth/account', { password: PASSWORD })
    const { body } = await read()
    for (const one of people) expect(body).not.toContain(`"${pathOf(one)}"`)
  })

  it('lists a profile once it has a bio or a page', async () => {
    const [blank, writer] = [await signUp(test.app), await signUp(test.app)]
    aMinuteLater()
    const before = (await read()).body
    for (const one of [blank, writer]) expect(before).not.toContain(`"${pathOf(one)}"`)
    await blank.put(`/profiles${pathOf(blank)}`, { bio: ' ' })
    const page = { profile_id: writer.account.active_profile_id, title: 'First', body: 'Text', status: 'published' }
    expect((await writer.post('/manage/pages', page)).statusCode).toBe(201)
    aMinuteLater()
    const { body } = await read()
    expect(body).toContain(`"${pathOf(writer)}"`)
    expect(body).not.toContain(`"${pathOf(blank)}"`)
  })

  it('lists no profile of an owner who did not verify the email address, where the service can send emails', async () => {
    const mailing = await createTestApp({ email: { mailer: createMailbox().mailer }, clock: () => now })
    const [stranger, owner] = [await signUpListed(mailing.app), await signUpListed(mailing.app)]
    await proveAddress(mailing, owner)
    const { body } = await client(mailing.app).get('/', { accept: HTML })
    const sitemap = await client(mailing.app).get('/sitemap.xml')
    await mailing.close()
    for (const list of [body, sitemap.body]) {
      expect(list).toContain(pathOf(owner))
      expect(list).not.toContain(pathOf(stranger))
    }
  })

  it('drops the profiles of an account when it is banned', async () => {
    const [admin, spammer] = [await signUp(test.app), await signUpListed(test.app)]
    await makeAdministrator(test, admin)
    aMinuteLater()
    expect((await read()).body).toContain(`"${pathOf(spammer)}"`)
    expect((await admin.send('PUT', `/admin/users/${spammer.account.id}`, { banned: true })).statusCode).toBe(200)
    expect((await read()).body).not.toContain(`"${pathOf(spammer)}"`)
  })

  it('lists a gated profile without its gated fields', async () => {
    const ada = await signUp(test.app)
    await ada.put(`/profiles${pathOf(ada)}`, { bio: 'A secret biography', type_data: { location: 'A secret place' } })
    aMinuteLater()
    const before = (await read()).body
    expect(before).toContain('A secret biography')
    expect(before).toContain('<small>Person · <bdi>A secret place</bdi></small>')
    const requirements = [{ type: 'payment', amount: 1, currency: 'usdc', per: 'once' }]
    const tiers = { paid: { label: 'Paid', requirements, access: ['profile.bio', 'profile.type_data'] } }
    const saved = await ada.put(`/eep/gates/did:web:profiles.example:u:${ada.account.username}`, {
      default_tier: 'free',
      tiers: { free: { label: 'Free', requirements: [], access: ['profile.*'] }, ...tiers },
    })
    expect(saved.statusCode).toBe(200)
    const { body } = await read()
    expect(body).toContain(`"${pathOf(ada)}"`)
    expect(body).not.toContain('A secret biography')
    expect(body).not.toContain('A secret place')
  })

  it('answers other formats as before', async () => {
    await signUp(test.app)
    aMinuteLater()
    const json = await client(test.app).get('/', { accept: 'application/json' })
    expect(Object.keys(json.json())).toEqual([
      'name',
      'description',
      'did',
      'eep_version',
      'profile_url',
      'formats',
      'start',
    ])
    const markdown = await client(test.app).get('/')
    expect(markdown.headers['content-type']).toMatch(/^text\/markdown/)
    expect(markdown.headers['cache-control']).toBe('public, max-age=300')
    expect(markdown.body).toContain('## Read in this order')
    expect(markdown.body).not.toContain('Ada')
  })

  it('returns 304 while the list is the same', async () => {
    const etag = String((await read()).headers.etag)
    expect((await read({ 'if-none-match': etag })).statusCode).toBe(304)
    await signUpListed(test.app)
    aMinuteLater()
    expect((await read({ 'if-none-match': etag })).statusCode).toBe(200)
  })
})

describe('the start page of another service', () => {
  it('has no search and no links to an account where the service has none', async () => {
    const test = await createTestApp({ without: ['account-pages'] })
    const { body } = await client(test.app).get('/', { accept: HTML })
    expect(body).not.toContain('<form')
    expect(body).not.toMatch(/href="\/(login|register)"/)
    await test.close()
  })

  it('links below the prefix of its listener', async () => {
    const test = await createTestApp({ prefix: '/api', withSearch: true })
    const { username, ...body } = newRegistration()
    const registered = await client(test.app).post('/api/auth/register', { ...body, username })
    const headers = { authorization: `Bearer ${registered.json<{ token: string }>().token}` }
    await client(test.app).put(`/api/profiles/u/${username}`, { bio: 'Writes notes' }, headers)
    const page = await client(test.app).get('/api/', { accept: HTML })
    expect(page.body).toContain(`href="/api/u/${username}"`)
    expect(page.body).toContain('<form action="/api/search"')
    await test.close()
  })

  it('shows no profiles while the storage is unavailable', async () => {
    const { storage, close } = await createTestApp()
    const siteIndex = { ...storage.read.siteIndex, listNewest: () => Promise.reject(storageUnavailable()) }
    const failing: Storage<OptionalGroup> = { ...storage, read: { ...storage.read, siteIndex } }
    const broken = await createTestApp({ name: 'Atlas', storage: failing })
    await signUp(broken.app)
    const { statusCode, body } = await client(broken.app).get('/', { accept: HTML })
    expect(statusCode).toBe(200)
    expect(body).toContain('<h1 dir="ltr"><bdi>Atlas</bdi></h1>')
    expect(body).not.toContain('New profiles')
    await broken.close()
    await close()
  })
})
