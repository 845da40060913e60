import { describe, expect, it } from 'vitest'
import { isEepError } from '../../../kernel/errors.ts'
import { commonPasswords } from './common-passwords.ts'
import { requireStrongPassword } from './password.ts'

/** Why a password is refused; nothing when it may be used. */
function weaknessesOf(password: string): unknown {
  try {
    requireStrongPassword(password)
    return []
  } catch (error) {
    if (!isEepError(error)) throw error
    return (error.details as { reasons: unknown }).reasons
  }
}

describe('a password', () => {
  it.each([
    ['Ab1', ['too_short']],
    ['lovelace 1815', ['no_uppercase']],
    ['LOVELACE 1815', ['no_lowercase']],
    ['Ada Lovelace', ['no_number']],
    [`Ab1${'x'.repeat(126)}`, ['too_long']],
    ['', ['too_short', 'no_uppercase', 'no_lowercase', 'no_number']],
  ])('lists what %j lacks', (password, reasons) => {
    expect(weaknessesOf(password)).toEqual(reasons)
  })

  it('is refused in every spelling when it is a common one', () => {
    for (const spelling of ['Password1', 'pASSWORD1', 'PassW0rd', 'Qwerty123', 'P@ssw0rd']) {
      expect(weaknessesOf(spelling), spelling).toEqual(['common'])
    }
  })

  it('may have 128 characters, each of which may be outside of the basic plane', () => {
    expect(weaknessesOf(`Ab1${'x'.repeat(125)}`)).toEqual([])
    expect(weaknessesOf(`Ab1${'🗝'.repeat(125)}`)).toEqual([])
    expect(weaknessesOf(`Ab1${'🗝'.repeat(126)}`)).toEqual(['too_long'])
  })

  it('counts the letters and digits of every script', () => {
    expect(weaknessesOf('Ключик от двери 7')).toEqual([])
    expect(weaknessesOf('Ωmega ٣ ωωω')).toEqual([])
  })

  it('keeps its blanks: they are characters like others', () => {
    expect(weaknessesOf('  Ab1   ')).toEqual([])
  })

  it('is rejected with all reasons together', () => {
    expect(() => requireStrongPassword('short')).toThrow(
      expect.objectContaining({
        code: 'weak_password',
        status: 400,
        message: 'The password needs at least 8 characters, an uppercase letter, and a number',
        details: { reasons: ['too_short', 'no_uppercase', 'no_number'] },
      }),
    )
  })
})

describe('the list of common passwords', () => {
  it('has 3,000, each of which some spelling would bring through the other rules', () => {
    expect(commonPasswords().size).toBe(3_000)
    for (const common of commonPasswords()) {
      expect(common).toBe(common.toLowerCase())
      expect(common).toMatch(/^(?=.{8})(?=.*\d)(?=.*[a-z].*[a-z])/)
    }
  })
})
