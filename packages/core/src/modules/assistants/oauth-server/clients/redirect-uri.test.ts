import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowsRedirect, isUsableRedirect, redirectKind } from './redirect-uri.ts'

const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'
const options = { privateUseRedirects: [CURSOR] }
const app = (...redirectUris: readonly string[]) => ({ redirectUris })
const LISTED = 'https://app.example/oauth/callback'

/** Spellings of the listed address that are not the listed address. */
const SPELLINGS = [
  'https://app.example/oauth/callback/',
  'https://app.example/oauth/callback?',
  'https://app.example/oauth/callback?a=b',
  'https://app.example/oauth/callback#',
  'https://app.example/oauth/callback#a',
  'https://app.example/oauth/callback/x',
  'https://app.example/oauth/callbac',
  'https://app.example/oauth/callback%00',
  'https://app.example/oauth/callback%20',
  'https://app.example/oauth/callback ',
  ' https://app.example/oauth/callback',
  'https://app.example/oauth/callback\n',
  'https://app.example/oauth/call\tback',
  'https://app.example/oauth/callback\r\nLocation: https://evil.example',
  'https://app.example/oauth/callback\u0000',
  'https://app.example/oauth//callback',
  'https://app.example//oauth/callback',
  'https://app.example/oauth/./callback',
  'https://app.example/x/../oauth/callback',
  'https://app.example/oauth/%2e/callback',
  'https://app.example/x/%2e%2e/oauth/callback',
  'https://app.example/oauth%2fcallback',
  'https://app.example/oauth/c%61llback',
  'https://app.example/OAuth/callback',
  'https://app.example/oauth\\callback',
  'https://app.example\\oauth\\callback',
  'https:\\\\app.example/oauth/callback',
  'https:/app.example/oauth/callback',
  'https:app.example/oauth/callback',
  'https:///app.example/oauth/callback',
  '//app.example/oauth/callback',
  '/oauth/callback',
  'HTTPS://app.example/oauth/callback',
  'https://APP.example/oauth/callback',
  'https://app.example./oauth/callback',
  'https://app.example:443/oauth/callback',
  'https://app.example:8443/oauth/callback',
  'https://app.example:/oauth/callback',
  'http://app.example/oauth/callback',
  'ws://app.example/oauth/callback',
  'https://user@app.example/oauth/callback',
  'https://user:password@app.example/oauth/callback',
  'https://@app.example/oauth/callback',
  'https://app.example@evil.example/oauth/callback',
  'https://app.example:443@evil.example/oauth/callback',
  'https://evil.example/oauth/callback',
  'https://evil.example/?https://app.example/oauth/callback',
  'https://evil.example/#https://app.example/oauth/callback',
  'https://evil.example\\@app.example/oauth/callback',
  'https://app.example.evil.example/oauth/callback',
  'https://evilapp.example/oauth/callback',
  'https://sub.app.example/oauth/callback',
  'https://*.example/oauth/callback',
  'https://app.example/*',
  'https://аpp.example/oauth/callback',
  'https://app。example/oauth/callback',
  'https://app.example%2eevil.example/oauth/callback',
  'https://[::1]/oauth/callback',
  'javascript:alert(1)//https://app.example/oauth/callback',
  'data:text/html,https://app.example/oauth/callback',
  '',
]

describe('the redirect URI of a request', () => {
  it('is the listed address, character by character', () => {
    expect(allowsRedirect(app(LISTED), LISTED, options)).toBe(true)
    expect(SPELLINGS.length).toBeGreaterThanOrEqual(60)
    expect(SPELLINGS.filter((uri) => allowsRedirect(app(LISTED), uri, options))).toEqual([])
  })

  it.each(['127.0.0.1', '[::1]', 'localhost'])('may have any port on %s', (host) => {
    for (const listed of [`http://${host}/callback`, `http://${host}:3000/callback`]) {
      for (const port of ['', ':1', ':3000', ':65535']) {
        expect(allowsRedirect(app(listed), `http://${host}${port}/callback`, options)).toBe(true)
      }
      for (const other of [
        `http://${host}:3000/other`,
        `http://${host}:3000/callback/`,
        `https://${host}:3000/callback`,
        `http://${host}:65536/callback`,
        `http://${host}:123456/callback`,
        `http://${host}:/callback`,
        `http://${host}:80@evil.example/callback`,
        `http://${host}.evil.example/callback`,
        `http://${host}:3000/callback#a`,
      ]) {
        expect([other, allowsRedirect(app(listed), other, options)]).toEqual([other, false])
      }
    }
  })

  it.each([
    'LOCALHOST',
    'localhost',
    'x.localhost',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.1.9',
    '0x7f.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('reaches any program of this computer at https://%s', (host) =>
    expect(redirectKind(`https://${host}:8443/cb`)).toBe('loopback'),
  )

  it.each(['app.example', '128.0.0.1', 'localhost.example', '127.0.0.1.example', '[2001:db8::1]'])(
    'reaches a site at https://%s',
    (host) => expect(redirectKind(`https://${host}/cb`)).toBe('https'),
  )

  it('takes no loopback name for another', () => {
    const listed = app('http://localhost/callback')
    expect(allowsRedirect(listed, 'http://127.0.0.1:3000/callback', options)).toBe(false)
    expect(allowsRedirect(listed, 'http://[::1]:3000/callback', options)).toBe(false)
    expect(allowsRedirect(listed, 'http://127.1:3000/callback', options)).toBe(false)
    expect(allowsRedirect(listed, 'http://0.0.0.0:3000/callback', options)).toBe(false)
  })

  it('may have a private-use scheme only when the operator lists the whole address', () => {
    expect(allowsRedirect(app(CURSOR), CURSOR, options)).toBe(true)
    expect(allowsRedirect(app(CURSOR), CURSOR, { privateUseRedirects: [] })).toBe(false)
    expect(allowsRedirect(app(`${CURSOR}/x`), `${CURSOR}/x`, options)).toBe(false)
    expect(allowsRedirect(app('vscode://x/cb'), 'vscode://x/cb', options)).toBe(false)
    expect(allowsRedirect(app(), CURSOR, options)).toBe(false)
  })

  it('goes to no host that the operator blocks', () => {
    const blocked = { ...options, blockedHosts: ['app.example'] }
    expect(allowsRedirect(app(LISTED), LISTED, blocked)).toBe(false)
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'about:blank',
    'mailto:ada@app.example',
    'http://app.example/callback',
    'https://app.example/callback#a',
    'https://app.example/<script>',
    'https://app.example/"',
  ])('is never %j, also when it is listed', (uri) => {
    expect(redirectKind(uri)).not.toBe('https')
    expect(allowsRedirect(app(uri), uri, { privateUseRedirects: [] })).toBe(false)
    // The operator cannot permit these as private-use schemes either.
    expect(allowsRedirect(app(uri), uri, { privateUseRedirects: [uri] })).toBe(false)
  })

  it('is refused when it differs from the listed address in one character', () => {
    const position = fc.nat({ max: LISTED.length - 1 })
    const character = fc.string({ unit: 'binary', minLength: 0, maxLength: 1 })
    fc.assert(
      fc.property(position, character, fc.boolean(), (at, text, isInserted) => {
        const other = LISTED.slice(0, at) + text + LISTED.slice(isInserted ? at : at + 1)
        expect(allowsRedirect(app(LISTED), other, options)).toBe(other === LISTED)
      }),
    )
  })

  it('is an address without user information, fragment or control characters whatever is listed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withFragments: true }), fc.string({ unit: 'binary' })), (uri) => {
        if (!isUsableRedirect(uri, options)) return
        expect(uri).toMatch(/^[\x21-\x7e]+$/)
        const { username, password, hash } = new URL(uri)
        expect([username, password, hash]).toEqual(['', '', ''])
      }),
    )
  })
})
