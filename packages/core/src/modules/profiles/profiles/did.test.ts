import { describe, expect, it } from 'vitest'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { didOf, parseDid, profilePath, serviceDid } from './did.ts'

const ada = { type: 'person', username: 'ada' } as const

describe('didOf', () => {
  it.each([
    ['https://example.com', 'did:web:example.com:u:ada'],
    ['http://localhost:3000', 'did:web:localhost%3A3000:u:ada'],
    ['https://example.com/a/b', 'did:web:example.com:a:b:u:ada'],
    ['http://127.0.0.1:8080/profiles-api', 'did:web:127.0.0.1%3A8080:profiles-api:u:ada'],
    ['https://Example.COM', 'did:web:example.com:u:ada'],
  ])('names a profile of %s as %s', (publicUrl, did) => {
    expect(didOf(publicUrl, ada)).toBe(did)
  })

  it('names a profile below the service', () => {
    expect(serviceDid('http://localhost:3000/x')).toBe('did:web:localhost%3A3000:x')
  })
})

describe('parseDid', () => {
  it.each(PROFILE_TYPES)('reads back the DID of a profile of type %s', (type) => {
    for (const publicUrl of ['https://example.com', 'http://localhost:3000', 'https://example.com:8443/a/b']) {
      const name = { type, username: 'a-1' }
      expect(parseDid(publicUrl, didOf(publicUrl, name))).toEqual(name)
    }
  })

  it('knows a port however it is escaped', () => {
    for (const port of ['%3A3000', '%3a3000', ':3000']) {
      expect(parseDid('http://localhost:3000', `did:web:localhost${port}:u:ada`)).toEqual(ada)
    }
  })

  it.each([
    'did:web:elsewhere.example:u:ada',
    'did:web:example.com:constructor:ada',
    'did:web:example.com:z:ada',
    'did:web:example.com:u:',
    'did:web:example.com:u',
    'did:web:example.com',
    'did:web:example.com:a:u:ada',
    'did:key:z6Mk',
    'u:ada',
    '',
    '%',
  ])('names no profile by %s', (did) => {
    expect(parseDid('https://example.com', did)).toBeUndefined()
  })
})

describe('profilePath', () => {
  it('puts the prefix of the type before the username', () => {
    expect(profilePath(ada)).toBe('/u/ada')
    expect(profilePath({ type: 'agent', username: 'bot-1' })).toBe('/agent/bot-1')
  })
})
