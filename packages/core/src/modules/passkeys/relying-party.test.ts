import { describe, expect, it } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

describe('relyingPartyOf', () => {
  it.each([
    ['https://a.example', 'https://a.example', 'a.example', ['https://a.example']],
    ['https://a.example/base', 'https://a.example:8443', 'a.example', ['https://a.example', 'https://a.example:8443']],
    ['https://api.a.example', 'https://a.example', 'a.example', ['https://api.a.example', 'https://a.example']],
    ['https://a.example', 'https://app.a.example', 'a.example', ['https://a.example', 'https://app.a.example']],
    ['https://api.a.example', 'https://app.a.example', 'app.a.example', ['https://app.a.example']],
    ['https://nota.example', 'https://a.example', 'a.example', ['https://a.example']],
    ['http://localhost:3000', 'http://localhost:5173', 'localhost', ['http://localhost:3000', 'http://localhost:5173']],
  ])('for the service at %s and the frontend at %s is %s', (publicUrl, frontendUrl, id, origins) => {
    expect(relyingPartyOf(publicUrl, frontendUrl)).toEqual({ id, origins })
  })
})
