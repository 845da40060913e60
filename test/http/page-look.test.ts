import { createHash } from 'node:crypto'
import { pageTexts } from '@eep/core'
import type { Storage } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

const HTML = 'text/html'

const styleOf = (markup: string) => /<style>(.*?)<\/style>/s.exec(markup)?.[1] ?? ''
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the pages of a service', () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let path: string
  beforeAll(async () => {
    test = await createTestApp()
    const ada = await signUp(test.app)
    path = `/u/${ada.account.username}`
  })
  afterAll(() => test.close())

  const read = (headers: Record<string, string>) => client(test.app).get(path, { accept: HTML, ...headers })

  it.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'ltr', 'Zum Text springen'],
    ['fr,ja;q=0.8', 'ja', 'ltr', '本文へ移動'],
    ['ar-EG', 'ar', 'rtl', 'الانتقال إلى النص'],
    ['fr', 'en', 'ltr', 'Skip to the text'],
    ['*', 'en', 'ltr', 'Skip to the text'],
    ['de;q=0', 'en', 'ltr', 'Skip to the text'],
    [';;,,=', 'en', 'ltr', 'Skip to the text'],
  ])('are for Accept-Language "%s" in %s, written %s', async (accepted, language, direction, text) => {
    const { body } = await read({ 'accept-language': accepted })
    expect(body).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(body).toContain(text)
  })

  it('cut a long description between two characters', async () => {
    const { account, put } = await signUp(test.app)
    await put(`/profiles/u/${account.username}`, { bio: `a${'👍'.repeat(400)}` })
    const { body } = await client(test.app).get(`/u/${account.username}`, { accept: HTML })
    expect(body).toContain(`<meta name="description" content="a${'👍'.repeat(298)}…">`)
  })

  it('are in English without Accept-Language', async () => {
    expect((await read({})).body).toContain('<html lang="en" dir="ltr">')
  })

  it('vary by language, and other formats do not', async () => {
    expect((await read({})).headers.vary).toContain('Accept-Language')
    expect((await read({ accept: 'application/json' })).headers.vary).not.toContain('Accept-Language')
  })

  it('allow their own style and no script', async () => {
    const { body, headers } = await read({})
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`style-src ${hashOf(styleOf(body))};`)
    expect(policy).not.toContain('script-src')
  })

  it('have an icon at the path that browsers request', async () => {
    const icon = await client(test.app).get('/favicon.ico')
    expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/x-icon'])
    expect(icon.headers['cache-control']).toBe('public, max-age=86400')
    expect([...icon.rawPayload.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
    expect(icon.rawPayload.readUInt32LE(14)).toBe(icon.rawPayload.length - icon.rawPayload.readUInt32LE(18))
    const again = await client(test.app).get('/favicon.ico', { 'if-none-match': String(icon.headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  it.each([
    ['en', 'Page not found', 'There is no page at this address'],
    ['de', 'Seite nicht gefunden', 'Unter dieser Adresse gibt es keine Seite'],
    ['ja', 'ページが見つかりません', 'このアドレスにページがないか'],
    ['ar', 'الصفحة غير موجودة', 'لا توجد صفحة في هذا العنوان'],
  ])('send errors with a title and a sentence in %s', async (language, title, lead) => {
    const { body } = await client(test.app).get('/u/unknown-name', { accept: HTML, 'accept-language': language })
    expect(body).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(body).toContain(`<h1>${title}</h1>\n<p class="lead">${lead}`)
    expect(body).toContain('<code>profile_not_found</code></a> <span lang="en" dir="ltr">Profile not found.</span>')
  })

  it('name an unexpected error by the reference under which it is logged', async () => {
    const { storage } = test
    const profiles = { ...storage.read.profiles, get: () => Promise.reject(new Error('connection refused')) }
    const failing: Storage = { ...storage, read: { ...storage.read, profiles } }
    const broken = await createTestApp({ storage: failing, limits: { readCacheEntries: 0 } })
    const page = await client(broken.app).get('/u/ada', { accept: HTML, 'accept-language': 'de' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([500, 'no-store'])
    expect(page.body).toContain('<h1>Etwas ist schiefgegangen</h1>')
    expect(page.body).toMatch(/Kennung für Rückfragen: <code>[\w-]+<\/code>/)
    expect(page.body).not.toContain('connection refused')
    await broken.close()
  })
})

describe('a host that changes the look', () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    test = await createTestApp({
      name: 'Atlas',
      pages: {
        languages: ['fr', 'en'],
        translations: { fr: { 'page.skip': 'Aller au texte' } },
        theme: { light: { accent: '#aa0000' }, dark: { accent: '#ff8888' } },
        logoPath: '/logo.svg',
        imprintUrl: 'https://atlas.example/imprint',
        privacyUrl: 'https://atlas.example/privacy',
      },
    })
  })
  afterAll(() => test.close())

  const read = async (headers: Record<string, string> = {}) =>
    client(test.app).get(`/u/${(await signUp(test.app)).account.username}`, { accept: HTML, ...headers })

  it('writes pages in its own language, and in English what it did not translate', async () => {
    const { body } = await read()
    expect(body).toContain('<html lang="fr" dir="ltr">')
    expect(body).toContain('Aller au texte')
    expect(body).toContain('For agents:')
  })

  it('does not write pages in languages that it does not list', async () => {
    expect((await read({ 'accept-language': 'de' })).body).toContain('<html lang="fr"')
  })

  it('uses its colors, under the same policy', async () => {
    const { body, headers } = await read()
    expect(styleOf(body)).toContain('--accent:#aa0000')
    expect(styleOf(body)).toContain('--accent:#ff8888')
    expect(headers['content-security-policy']).toContain(hashOf(styleOf(body)))
  })

  it('shows its logo, imprint and privacy policy', async () => {
    const { body } = await read()
    expect(body).toContain('<img src="/logo.svg" alt="">')
    expect(body).toContain('<link rel="icon" href="/logo.svg">')
    expect(body).toContain('<a href="https://atlas.example/imprint">Imprint</a>')
    expect(body).toContain('<a href="https://atlas.example/privacy">Privacy</a>')
  })

  it('sends browsers that request an icon to its logo', async () => {
    const { statusCode, headers } = await client(test.app).get('/favicon.ico')
    expect([statusCode, headers.location]).toEqual([302, '/logo.svg'])
  })

  it('keeps its own icon when it serves the root of the site', async () => {
    const own = await createTestApp({ discovery: { rootFiles: false } })
    expect((await client(own.app).get('/favicon.ico')).statusCode).toBe(404)
    await own.close()
  })

  it.each([
    ['a color that is not hexadecimal', { theme: { light: { accent: 'red;}body{display:none' } } }],
    ['a logo of another origin', { logoPath: '//evil.example/logo.svg' }],
    ['an invalid language tag', { languages: ['"><script>'] }],
    ['an empty list of languages', { languages: [] }],
  ])('is refused %s', async (_, pages) => {
    await expect(createTestApp({ pages })).rejects.toThrow('pages.')
  })
})

it('lists the texts that a host can translate', () => {
  expect(pageTexts()).toMatchObject({ 'page.search': 'Search', 'page.skip': 'Skip to the text' })
})

it('lets browsers name the origin of its forms, also on hosts that hide it elsewhere', async () => {
  const test = await createTestApp({}, {}, (app) => {
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'no-referrer')
    })
  })
  const page = await client(test.app).get('/login', { accept: HTML })
  expect(page.headers['referrer-policy']).toBe('same-origin')
  await test.close()
})
