import { commonPasswords } from './common-passwords.ts'
import { weakPassword } from './errors.ts'

const MIN_CHARACTERS = 8
const MAX_CHARACTERS = 128

/** Why a password is refused; `details.reasons` of `weak_password`. */
export type PasswordWeakness = 'too_short' | 'too_long' | 'no_uppercase' | 'no_lowercase' | 'no_number' | 'common'

const RULES: Readonly<Record<PasswordWeakness, { readonly need: string; refuses(password: string): boolean }>> = {
  too_short: {
    need: `at least ${MIN_CHARACTERS} characters`,
    refuses: (password) => lengthOf(password) < MIN_CHARACTERS,
  },
  too_long: {
    need: `at most ${MAX_CHARACTERS} characters`,
    refuses: (password) => lengthOf(password) > MAX_CHARACTERS,
  },
  no_uppercase: { need: 'an uppercase letter', refuses: (password) => !/\p{Lu}/u.test(password) },
  no_lowercase: { need: 'a lowercase letter', refuses: (password) => !/\p{Ll}/u.test(password) },
  no_number: { need: 'a number', refuses: (password) => !/\p{Nd}/u.test(password) },
  common: { need: 'to be less common', refuses: (password) => commonPasswords().has(password.toLowerCase()) },
}

const REASONS = Object.keys(RULES) as PasswordWeakness[]

/** Counts characters (code points), not UTF-16 units. */
const lengthOf = (password: string) => [...password].length

/**
 * Checks that a password may be used for an account. It is neither trimmed nor normalized.
 *
 * @throws `weak_password` with every reason in `details.reasons`
 */
export function requireStrongPassword(password: string): void {
  const reasons = REASONS.filter((reason) => RULES[reason].refuses(password))
  if (reasons.length === 0) return
  const needs = new Intl.ListFormat('en').format(reasons.map((reason) => RULES[reason].need))
  throw weakPassword({ message: `The password needs ${needs}`, details: { reasons } })
}
