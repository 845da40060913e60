import { describe, expect, it } from 'vitest'
import { acceptsPagesOf, relyingPartyOf } from './relying-party.ts'

describe('relyingPartyOf', () => {
  it.each([
    ['https://a.example', 'https://a.example', 'a.example', ['https://a.example']],
    ['https://a.example/base', 'https://a.example:8443', 'a.example', ['https://a.example', 'https://a.example:8443']],
    ['https://api.a.example', 'https://a.example', 'a.example', ['https://api.a.example', 'https://a.example']],
    ['https://a.example', 'https://app.a.example', 'a.example', ['https://a.example', 'https://app.a.example']],
    ['https://api.a.example', 'https://app.a.example', 'app.a.example', ['https://app.a.example']],
    ['https://nota.example', 'https://a.example', 'a.example', ['https://a.example']],
    ['http://localhost:3000', 'http://localhost:5173', 'localhost', ['http://localhost:3000', 'http://localhost:5173']],
  ])('maps the service at %s and the frontend at %s to %s', (publicUrl, frontendUrl, id, origins) => {
    expect(relyingPartyOf(publicUrl, frontendUrl)).toEqual({ id, origins })
  })
})

describe('acceptsPagesOf', () => {
  it.each([
    ['https://a.example', 'https://a.example', true],
    ['https://api.a.example', 'https://a.example', true],
    ['https://api.a.example', 'https://app.a.example', false],
    ['http://localhost:3000', 'http://localhost:3000', true],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', false],
    ['http://[::1]:3000', 'http://[::1]:3000', false],
  ])('maps the service at %s and the frontend at %s to %s', (publicUrl, frontendUrl, expected) => {
    expect(acceptsPagesOf(relyingPartyOf(publicUrl, frontendUrl), publicUrl)).toBe(expected)
  })
})
