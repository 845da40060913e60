import { expect, it } from 'vitest'
import { challengeOf } from './client-data.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

it('reads the challenge that a response was signed for', () => {
  expect(challengeOf(encoded({ type: 'webauthn.get', challenge: 'abc', crossOrigin: false }))).toBe('abc')
})

it.each([
  ['that is not JSON', Buffer.from('{"challenge":').toString('base64url')],
  ['that is not an object', encoded('challenge')],
  ['that is null', encoded(null)],
  ['without a challenge', encoded({ type: 'webauthn.get' })],
  ['whose challenge is a number', encoded({ challenge: 7 })],
  ['of a frame in a page of another site', encoded({ challenge: 'abc', crossOrigin: true })],
])('reads no challenge from a response %s', (_what, clientData) => {
  expect(challengeOf(clientData)).toBeUndefined()
})
