import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, PASSWORD } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { openCachingProxy } from '../support/caching-proxy.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { createMailbox } from '../support/mailbox.ts'
import { openBrowser } from '../support/pages.ts'

const HTML = { accept: 'text/html' }
const COOKIE = '__Host-eep_language'
const NAMES = { en: 'English', de: 'Deutsch', ja: '日本語', ar: 'العربية' } as const

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Writer
let page: string

beforeAll(async () => {
  test = await createTestApp({ email: { mailer: mailbox.mailer }, withSearch: true })
  ada = await createWriter(test.app, 'chosen-ada')
  page = (await ada.newPage({ body: 'Words' })).path
})
afterAll(() => test.close())

const languageOf = (body: string) => /<html lang="([^"]+)"/.exec(body)?.[1]

describe('the languages in the footer', () => {
  it('lead to the same page in each language, named in itself, and keep the rest of the query', async () => {
    for (const path of ['/', '/u/chosen-ada', page, '/login', '/unknown', '/login?next=%2Fu%2Fada']) {
      const { body } = await client(test.app).get(path, HTML)
      const query = path.includes('?') ? `${path.slice(path.indexOf('?') + 1)}&amp;` : ''
      for (const [language, name] of Object.entries(NAMES)) {
        const link = `<a href="?${query}lang=${language}" lang="${language}" hreflang="${language}" rel="nofollow"`
        expect(body, path).toContain(`${link}${language === 'en' ? ' aria-current="true"' : ''}>${name}</a>`)
      }
      const address = path.split('?', 1)[0]
      const german = `${address}?${query.replace('&amp;', '&')}lang=de`
      const { body: translated } = await client(test.app).get(german, HTML)
      expect([path, languageOf(translated)]).toEqual([path, 'de'])
      expect(translated).toContain(`<a href="?${query}lang=ja"`)
    }
    const { body } = await client(test.app).get('/search?q=words', HTML)
    expect(body).toMatch(/<a href="\?q=words&amp;[^"]*lang=de" lang="de"/)
  })

  it('are missing where a service has one language, and below the answer to a form', async () => {
    const single = await createTestApp({ pages: { languages: ['de'] } })
    expect((await client(single.app).get('/', HTML)).body).not.toContain('hreflang')
    await single.close()
    const refused = await openBrowser(test.app).submit('/login', { email: 'unknown@example.com', password: 'no' })
    expect([languageOf(refused.body), refused.body.includes('hreflang')]).toEqual(['en', false])
  })

  it('choose the language of the next pages, before that of the browser', async () => {
    const tab = openBrowser(test.app, { 'accept-language': 'ja' })
    expect(languageOf((await tab.open('/')).body)).toBe('ja')
    const chosen = await tab.open(`${page}?lang=de`)
    expect(chosen.cookies).toMatchObject([
      { name: COOKIE, value: 'de', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
    ])
    for (const path of ['/', page, '/login', '/unknown']) expect(languageOf((await tab.open(path)).body)).toBe('de')
    expect((await tab.open(`${page}?lang=de`)).headers['set-cookie']).toBeUndefined()
    expect(languageOf((await tab.open('/?lang=en')).body)).toBe('en')
    expect(languageOf((await tab.open('/login')).body)).toBe('en')
  })

  it('are ignored when the service has no such language, and in other formats', async () => {
    for (const query of ['lang=xx', 'lang=', 'lang=de&lang=ja', 'lang=%3Cscript%3E']) {
      const { body, headers } = await client(test.app).get(`/?${query}`, { ...HTML, 'accept-language': 'ja' })
      expect([query, languageOf(body), headers['set-cookie']]).toEqual([query, 'ja', undefined])
    }
    const json = await client(test.app).get('/u/chosen-ada?lang=de&format=json')
    const plain = await client(test.app).get('/u/chosen-ada?format=json')
    expect([json.body === plain.body, json.headers['set-cookie'], json.headers.etag]).toEqual([
      true,
      undefined,
      plain.headers.etag,
    ])
  })

  it('have one canonical address, as the text of an author is the same in all of them', async () => {
    for (const path of [page, `${page}?lang=de`]) {
      expect((await client(test.app).get(path, HTML)).body).toContain(
        `<link rel="canonical" href="https://profiles.example${page}">`,
      )
    }
  })

  it('choose the language of the emails of an account that is made then', async () => {
    const tab = openBrowser(test.app)
    await tab.open('/register?lang=de')
    const registration = newRegistration()
    await tab.submit('/register', { ...registration, password: PASSWORD })
    const { language } = (await tab.open('/auth/me', { accept: 'application/json' })).json()
    expect(language).toBe('de')
  })
})

it('never mixes languages in the response cache or in a shared cache', async () => {
  const proxy = openCachingProxy(test.app)
  const readers = [
    ['de', '', { cookie: `${COOKIE}=de` }],
    ['ja', '', { cookie: `${COOKIE}=ja`, 'accept-language': 'de' }],
    ['en', '', {}],
    ['ar', '', { 'accept-language': 'ar' }],
    ['ar', '?lang=ar', {}],
    ['ar', '?lang=ar', { cookie: `${COOKIE}=de` }],
    ['de', '?lang=de', { 'accept-language': 'ar' }],
  ] as const
  for (const path of ['/', '/u/chosen-ada', page]) {
    for (const order of [readers, readers.toReversed(), readers]) {
      for (const [language, query, headers] of order) {
        const ask = { ...HTML, ...headers }
        for (const { body } of [await proxy.get(path + query, ask), await client(test.app).get(path + query, ask)]) {
          expect([path, query, languageOf(body)]).toEqual([path, query, language])
        }
      }
    }
  }
  expect(proxy.hits()).toBeGreaterThan(0)
})
