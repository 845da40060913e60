import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { authorizePath, LOOM, sendConsent } from '../../support/consent.ts'
import { browserOf } from '../../support/console.ts'
import { openBrowser } from '../../support/pages.ts'

/** Addresses that look like the registered `https://loom.example/back` and `http://127.0.0.1/back`. */
const SPELLINGS = [
  // prefix and suffix
  'https://loom.example/back/',
  'https://loom.example/backdoor',
  'https://loom.example/back/../evil',
  'https://loom.example/back/..',
  'https://loom.example/back?x=1',
  'https://loom.example/back?',
  'https://loom.example/back#',
  'https://loom.example/back#code',
  'https://loom.example/back;x',
  'https://loom.example/back%00',
  'https://loom.example/back%0d%0aSet-Cookie:a=b',
  'https://loom.example/back\r\nSet-Cookie: a=b',
  'https://loom.example/back ',
  ' https://loom.example/back',
  'https://loom.example/back\t',
  'https://loom.example/',
  'https://loom.example',
  'https://loom.example//back',
  'https://loom.example/./back',
  'https://loom.example/x/../back',
  'https://loom.example/%62ack',
  'https://loom.example/back%2f',
  'https://loom.example/%2e%2e/back',
  'https://loom.example\\back',
  'https://loom.example/\\back',
  // case
  'HTTPS://loom.example/back',
  'https://LOOM.example/back',
  'https://loom.example/BACK',
  // hosts
  'https://loom.example.evil.example/back',
  'https://evil.example/https://loom.example/back',
  'https://evil.example?https://loom.example/back',
  'https://evil.example#https://loom.example/back',
  'https://evil.example\\@loom.example/back',
  'https://sub.loom.example/back',
  'https://loom.example./back',
  'https://loom。example/back',
  'https://lооm.example/back',
  'https://xn--lm-emca.example/back',
  '//loom.example/back',
  '///loom.example/back',
  '/back',
  'loom.example/back',
  // user information
  'https://loom.example@evil.example/back',
  'https://user@loom.example/back',
  'https://user:password@loom.example/back',
  'https://@loom.example/back',
  // ports and schemes
  'https://loom.example:443/back',
  'https://loom.example:8443/back',
  'https://loom.example:/back',
  'http://loom.example/back',
  'ftp://loom.example/back',
  'javascript:alert(1)//https://loom.example/back',
  'data:text/html,https://loom.example/back',
  'loom:/back',
  // loopback: only the port may differ
  'https://127.0.0.1/back',
  'http://127.0.0.1:99999/back',
  'http://127.0.0.2/back',
  'http://localhost/back',
  'http://[::1]/back',
  'http://127.0.0.1.evil.example/back',
  'http://127.0.0.1:80@evil.example/back',
  'http://0x7f.1/back',
  'http://2130706433/back',
  'http://127.0.0.1/back/',
  'http://127.0.0.1/back?x',
  'https://*.loom.example/back',
]

let test: Awaited<ReturnType<typeof createTestApp>>
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ oauthServer: { clients: [LOOM] } })
  browser = await browserOf(test.app, await signUp(test.app))
})
afterAll(() => test.close())

describe('a redirect URI that is spelled in another way', () => {
  it('has 60 spellings or more', () => expect(new Set(SPELLINGS).size).toBeGreaterThanOrEqual(60))

  it.each(SPELLINGS)('is refused on a page without a Location: %s', async (redirect_uri) => {
    for (const tab of [browser, openBrowser(test.app)]) {
      const response = await tab.open(authorizePath({ redirect_uri }))
      expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
      expect(response.headers['set-cookie']).toBeUndefined()
      expect(response.body).not.toMatch(/href="(?:https?:)?\/\/(?!profiles\.example)/)
    }
  })

  it('is refused before any other error of the request is sent to it', async () => {
    for (const changes of [{ prompt: 'none' }, { scope: 'x' }, { response_type: 'token' }, { code_challenge: 'x' }]) {
      const response = await browser.open(authorizePath({ redirect_uri: 'https://evil.example/', ...changes }))
      expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
    }
  })

  it('is accepted when only the port of a loopback address differs', async () => {
    for (const redirect_uri of ['http://127.0.0.1/back', 'http://127.0.0.1:1/back', 'http://127.0.0.1:65535/back']) {
      const page = await browser.open(authorizePath({ redirect_uri }))
      expect(page.statusCode).toBe(200)
      const allowed = await sendConsent(browser, test.app, page)
      expect(String(allowed.headers.location)).toMatch(
        new RegExp(`^${redirect_uri.replaceAll('.', '\\.')}\\?code=eepc_`),
      )
    }
  })
})

describe('what an app sends', () => {
  const HOSTILE = [
    'a\r\nSet-Cookie: x=y',
    '"><script>alert(1)</script>',
    "';alert(1)//",
    '\u202eevil',
    '%0d%0a',
    '&code=forged&iss=https://evil.example',
    '#code=forged',
    '\u0000',
    '𝒳'.repeat(50),
  ]

  it.each(HOSTILE)('comes back as one parameter, and reaches no header and no page unescaped: %j', async (state) => {
    const denied = await browser.open(authorizePath({ state, scope: 'x' }))
    expect(denied.statusCode).toBe(303)
    const location = String(denied.headers.location)
    expect(location).toMatch(/^[\x21-\x7e]+$/)
    const parameters = new URL(location).searchParams
    expect([parameters.get('state'), parameters.getAll('iss'), parameters.getAll('code')]).toEqual([
      state,
      ['https://profiles.example'],
      [],
    ])
    const page = await browser.open(authorizePath({ state }))
    expect(page.body).not.toContain('<script>alert')
    const repeated = await browser.open(
      `${authorizePath()}&${encodeURIComponent(state)}=1&${encodeURIComponent(state)}=2`,
    )
    expect(repeated.statusCode).toBe(400)
    expect(repeated.body).not.toContain('<script>alert')
    for (const [name, value] of Object.entries(repeated.headers)) {
      expect([name, /[\r\n]/.test(String(value))]).toEqual([name, false])
    }
  })
})
