import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeal } from '../../../../kernel/seal.ts'
import { appName, canSpend, reachesApp } from './app.ts'
import { checkClientId } from './client-id.ts'
import { openRegistration, REGISTRATION_PURPOSE, sealRegistration } from './registered.ts'

const [OLD, NEW] = ['an old secret of the service, long enough', 'a new secret of the service, long enough']
const sealOf = (...secrets: readonly string[]) => createSeal(secrets, REGISTRATION_PURPOSE)
const seal = sealOf(OLD)
const registration = { name: 'Inspector', redirectUris: ['http://localhost:6274/oauth/callback'] }

describe('the id of a registered app', () => {
  it('contains the name and the redirect URIs', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.array(fc.webUrl(), { minLength: 1, maxLength: 4 }),
        (name, redirectUris) => {
          if (redirectUris.join('').length > 300) return
          const id = sealRegistration({ name: appName(name), redirectUris }, seal)
          expect(checkClientId(id)).toBe('registered')
          expect(openRegistration(id, seal)).toMatchObject({ name: appName(name), redirectUris, verified: false })
        },
      ),
    )
  })

  it('has room for ten addresses of one site', () => {
    const redirectUris = Array.from({ length: 10 }, (_, index) => `https://assistant.example/oauth/callback/${index}`)
    const id = sealRegistration({ name: 'Assistant', redirectUris, clientUri: 'https://assistant.example' }, seal)
    expect(id.length).toBeLessThanOrEqual(1_200)
    expect(openRegistration(id, seal)?.redirectUris).toEqual(redirectUris)
  })

  it('is refused when it would be too long', () => {
    // As random as a hash, so that it does not shrink.
    const redirectUris = Array.from({ length: 10 }, () => `https://a.example/${randomBytes(90).toString('hex')}`)
    expect(() => sealRegistration({ name: 'A', redirectUris }, seal)).toThrow(/too long/)
  })

  it('is read while the secret that made it is listed', () => {
    const id = sealRegistration(registration, seal)
    expect(openRegistration(id, sealOf(NEW, OLD))?.name).toBe('Inspector')
    expect(openRegistration(id, sealOf(NEW))).toBeUndefined()
  })

  it('is not read after any change', () => {
    const id = sealRegistration(registration, seal)
    for (let at = 5; at < id.length - 1; at += 1) {
      const other = id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1)
      expect(openRegistration(other, seal)).toBeUndefined()
    }
  })
})

describe('the name of an app', () => {
  it.each([
    ['Claude', 'Claude'],
    ['  Claude \n Code  ', 'Claude Code'],
    ['Cl\u200baude\u2060', 'Claude'],
    ['\u202eedualC\u202c', 'edualC'],
    ['\u2066Claude\u2069', 'Claude'],
    ['Cla\u00adude\ufeff', 'Claude'],
    ['\u0000\u001b[31mred', '[31mred'],
    ['\u3164', ''],
    ['名前', '名前'],
    ['مساعد', 'مساعد'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['a'.repeat(80), 'a'.repeat(60)],
  ])('%j is shown as %j', (text, shown) => expect(appName(text)).toBe(shown))

  it('has no control, bidirectional or invisible characters, and at most 60', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = appName(text)
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect([...name].length).toBeLessThanOrEqual(60)
        expect(appName(name)).toBe(name)
      }),
    )
  })
})

describe('an app', () => {
  const cimd = {
    kind: 'cimd',
    clientId: 'https://app.example/client',
    name: 'App',
    host: 'app.example',
    verified: true,
    redirectUris: ['https://app.example/cb', 'http://localhost/cb', 'https://other.example/cb'],
    authentication: 'none',
    listedHosts: ['app.example', 'other.example'],
  } as const

  it('is reached at https addresses of its document, and nowhere on this computer', () => {
    expect(reachesApp(cimd, 'https://app.example/cb')).toBe(true)
    expect(reachesApp(cimd, 'https://other.example/cb')).toBe(true)
    expect(reachesApp(cimd, 'https://evil.example/cb')).toBe(false)
    expect(reachesApp(cimd, 'http://localhost:3000/cb')).toBe(false)
    expect(reachesApp({ ...cimd, kind: 'registered' }, 'https://app.example/cb')).toBe(false)
  })

  it('cannot spend when any local program could be it, unless it is configured or proves itself', () => {
    expect(canSpend(cimd, 'https://app.example/cb')).toBe(true)
    expect(canSpend(cimd, 'http://localhost:3000/cb')).toBe(false)
    expect(canSpend(cimd, 'cursor://anysphere.cursor-mcp/oauth/callback')).toBe(false)
    expect(canSpend(cimd, undefined)).toBe(false)
    expect(canSpend({ ...cimd, authentication: 'private_key_jwt' }, undefined)).toBe(true)
    expect(canSpend({ ...cimd, kind: 'configured' }, 'http://localhost:3000/cb')).toBe(true)
  })
})
