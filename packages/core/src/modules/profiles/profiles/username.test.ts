import { describe, expect, it } from 'vitest'
import { PROFILE_PREFIXES } from '../../../model/profile-type.ts'
import { isReservedUsername, isUsername, usernameSchema } from './username.ts'

describe('usernameSchema', () => {
  it.each(['a', 'ada', 'ada-lovelace', '1815', 'a--b', 'x'.repeat(64)])('takes %s', (username) => {
    expect(usernameSchema.safeParse(username).success).toBe(true)
    expect(isUsername(username)).toBe(true)
  })

  it.each(['', 'Ada', 'a b', 'a_b', '-ada', 'ada-', '-', 'é', 'ada\n', 'ada\0', 'a.b', '../x', 'x'.repeat(65)])(
    'refuses %j',
    (username) => {
      expect(usernameSchema.safeParse(username).success).toBe(false)
      expect(isUsername(username)).toBe(false)
    },
  )
})

describe('isReservedUsername', () => {
  it('keeps the words of routes and of the staff', () => {
    for (const word of ['admin', 'support', 'api', 'auth', 'manage', 'well-known', 'null']) {
      expect(isReservedUsername(word)).toBe(true)
    }
  })

  it('gives away every other name, and those of objects', () => {
    for (const name of [
      'ada',
      'constructor',
      'administrators-of-note',
      ...PROFILE_PREFIXES.filter((one) => one !== 'agent'),
    ]) {
      expect(isReservedUsername(name)).toBe(false)
    }
  })
})
