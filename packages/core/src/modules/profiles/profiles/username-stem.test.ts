import { expect, it } from 'vitest'
import { isReservedUsername, isUsername } from './username.ts'
import { usernameStem } from './username-stem.ts'

it.each([
  ['ada.lovelace@example.com', null, 'ada-lovelace'],
  ['Ada_Lovelace+news@example.com', null, 'ada-lovelace'],
  ['zoë.müller@example.com', null, 'zoe-muller'],
  ['李雷@example.com', 'Li Lei', 'li-lei'],
  ['admin@example.com', 'Ada Lovelace', 'ada-lovelace'],
  ['"odd@local"@example.com', null, 'odd-local'],
  [null, 'Ada Lovelace', 'ada-lovelace'],
  ['admin@example.com', 'Support', 'member'],
  ['李雷@example.com', '李雷', 'member'],
  ['', '', 'member'],
  ['--@example.com', '-', 'member'],
])('calls the owner of %s, %s, "%s"', (email, fullName, expected) => {
  expect(usernameStem({ email, fullName })).toBe(expected)
})

it('leaves room for a suffix after a long name', () => {
  const stem = usernameStem({ email: `${'long-'.repeat(40)}@example.com`, fullName: null })
  expect(stem.length).toBeLessThanOrEqual(48)
  expect(isUsername(stem)).toBe(true)
  expect(isReservedUsername(stem)).toBe(false)
})
