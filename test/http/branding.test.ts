import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { header } from '../support/shop.ts'

const HTML = { accept: 'text/html' }
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><script>alert(1)</script></svg>'

const directory = mkdtempSync(join(tmpdir(), 'eep-logo-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function written(name: string, content: string | Buffer): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

describe('a service with its own name, color and logo', () => {
  const mailbox = createMailbox()
  let test: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    test = await createTestApp({
      name: 'Harbour',
      description: 'Essays of the harbour',
      email: { mailer: mailbox.mailer },
      pages: {
        accent: '#ffee00',
        logoFile: written('logo.svg', SVG),
        imprintUrl: '/imprint',
        privacyUrl: 'https://harbour.example/privacy',
      },
    })
  })
  afterAll(() => test.close())

  const read = (path: string, headers = {}) => client(test.app).get(path, headers)

  it('shows them on every page', async () => {
    const { body } = await read('/', HTML)
    expect(body).toContain('<title>Harbour</title>')
    expect(body).toContain('<meta property="og:site_name" content="Harbour">')
    expect(body).toMatch(
      /<a class="brand" href="\/"><img src="\/assets\/logo\.svg\?v=[\w-]+" alt=""><span dir="auto">Harbour<\/span><\/a>/,
    )
    expect(body).toMatch(/<link rel="icon" href="\/assets\/logo\.svg\?v=[\w-]+">/)
    expect(body).toContain('<p class="lead">Essays of the harbour</p>')
    expect(body).toContain('<a href="/imprint">Imprint</a>')
    expect(body).toContain('<a href="https://harbour.example/privacy">Privacy</a>')
    const login = (await read('/login', HTML)).body
    expect(login).toContain('<a href="/imprint">Imprint</a>')
  })

  it('makes the color readable on light and on dark screens', async () => {
    const { body } = await read('/', HTML)
    const accents = [...body.matchAll(/--accent:(#[0-9a-f]{6});--on:(#\w{3});/g)].map(([, accent, on]) => [accent, on])
    expect(accents).toEqual([
      [expect.not.stringContaining('#ffee00'), '#fff'],
      ['#ffee00', '#000'],
    ])
  })

  it('sends the logo so that nothing in it can run, and clients keep it', async () => {
    const { body } = await read('/', HTML)
    const [address = ''] = /\/assets\/logo\.svg\?v=[\w-]+/.exec(body) ?? []
    const logo = await read(address)
    expect([logo.statusCode, header(logo, 'content-type'), logo.body]).toEqual([200, 'image/svg+xml', SVG])
    expect(header(logo, 'content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
    expect(header(logo, 'x-content-type-options')).toBe('nosniff')
    expect(header(logo, 'cache-control')).toBe('public, max-age=31536000, immutable')
    expect(header(await read('/assets/logo.svg'), 'cache-control')).toBe('public, max-age=3600')
  })

  it('has a manifest with its name, colors and icons, which pages link to and their policy allows', async () => {
    const page = await read('/', HTML)
    expect(page.body).toContain('<link rel="manifest" href="/assets/site.webmanifest">')
    expect(page.body).toContain('<link rel="apple-touch-icon" href="/assets/icon-180.png">')
    expect(page.body).toContain('<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fdfcfa">')
    expect(header(page, 'content-security-policy')).toContain("manifest-src 'self'")
    const manifest = await read('/assets/site.webmanifest')
    expect(header(manifest, 'content-type')).toBe('application/manifest+json')
    expect(manifest.json()).toMatchObject({
      name: 'Harbour',
      description: 'Essays of the harbour',
      start_url: '/',
      icons: [{ type: 'image/svg+xml', sizes: 'any' }, { sizes: '192x192' }, { sizes: '512x512' }],
    })
    for (const { src } of manifest.json().icons) expect((await read(src)).statusCode, src).toBe(200)
  })

  it('draws its icon in its color', async () => {
    for (const size of [180, 192, 512]) {
      const icon = await read(`/assets/icon-${size}.png`)
      expect(await sharp(icon.rawPayload).metadata()).toMatchObject({ width: size, height: size, format: 'png' })
    }
    expect((await read('/assets/icon-9.png')).statusCode).toBe(404)
    expect((await read('/favicon.ico')).statusCode).toBe(302)
  })

  it('names itself and links its imprint in emails, without an image that they cannot show', async () => {
    const registration = newRegistration()
    await client(test.app).post('/auth/register', registration)
    const mail = await mailbox.take(registration.email, 'verification')
    expect(mail.html).toContain('Harbour')
    expect(mail.html).toContain('href="https://profiles.example/imprint"')
    expect(mail.html).not.toContain('<img')
    expect(mail.text).toContain('https://profiles.example/imprint')
  })
})

it('shows a PNG logo also in emails and on the home screen of phones', async () => {
  const mailbox = createMailbox()
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
  const logoFile = written('logo.png', png)
  const test = await createTestApp({ pages: { logoFile }, email: { mailer: mailbox.mailer } })
  const registration = newRegistration()
  await client(test.app).post('/auth/register', registration)
  const mail = await mailbox.take(registration.email, 'verification')
  expect(mail.html).toMatch(/<img src="https:\/\/profiles\.example\/assets\/logo\.png\?v=[\w-]+" alt="Profiles"/)
  expect((await client(test.app).get('/assets/icon-180.png')).rawPayload.equals(png)).toBe(true)
  const { icons } = (await client(test.app).get('/assets/site.webmanifest')).json()
  expect(icons[0]).toMatchObject({ type: 'image/png', sizes: '64x64' })
  await test.close()
})

it('has a short name, a green icon and no logo by default', async () => {
  const test = await createTestApp()
  const { account } = await signUp(test.app)
  const { body } = await client(test.app).get(`/u/${account.username}`, HTML)
  expect(body).toContain('<span dir="auto">Profiles</span>')
  expect(body).toContain('fill=&#39;%231f5f4f&#39;')
  expect((await client(test.app).get('/assets/logo.svg')).statusCode).toBe(404)
  await test.close()
})

it.each([
  ['a logo that does not exist', { logoFile: '/none/logo.svg' }, 'is not a file that can be read'],
  ['a logo that is a text', { logoFile: written('logo.txt', 'Harbour') }, 'is neither a PNG nor an SVG image'],
  ['a logo that is too large', { logoFile: written('large.svg', SVG.padEnd(300_000)) }, 'is larger than 262144 bytes'],
  ['a color with a name', { accent: 'green' }, 'Must be a color such as #1f5f4f'],
  ['an imprint on another origin by its path', { imprintUrl: '//evil.example/' }, 'or a path such as /imprint'],
  ['an imprint that is a script', { privacyUrl: 'javascript:alert(1)' }, 'or a path such as /imprint'],
])('refuses %s at its start', async (_name, pages, problem) => {
  await expect(createTestApp({ pages })).rejects.toThrow(problem)
})
