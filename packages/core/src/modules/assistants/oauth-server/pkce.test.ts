import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isChallenge, verifiesChallenge } from './pkce.ts'

const unreserved = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
const verifier = fc.string({ unit: unreserved, minLength: 43, maxLength: 128 })
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

describe('PKCE', () => {
  it('accepts the example of RFC 7636', () => {
    const [known, challenge] = [
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    ]
    expect(verifiesChallenge(known, challenge)).toBe(true)
  })

  it('accepts the verifier of a challenge and no other', () => {
    fc.assert(
      fc.property(verifier, verifier, (one, other) => {
        expect(verifiesChallenge(one, challengeOf(one))).toBe(true)
        expect(verifiesChallenge(other, challengeOf(one))).toBe(one === other)
      }),
    )
  })

  it.each([
    ['a verifier of 42 characters', 'a'.repeat(42)],
    ['a verifier of 129 characters', 'a'.repeat(129)],
    ['a verifier with a space', `${'a'.repeat(42)} `],
    ['an empty verifier', ''],
  ])('refuses %s, also with its challenge', (_what, text) => {
    expect(verifiesChallenge(text, challengeOf(text))).toBe(false)
  })

  it('refuses a verifier that equals its challenge, as the method plain has it', () => {
    const text = challengeOf('anything')
    expect(verifiesChallenge(text, text)).toBe(false)
  })

  it.each(['', 'a', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}\n`])(
    'does not take %j for a challenge',
    (text) => expect(isChallenge(text)).toBe(false),
  )
})
