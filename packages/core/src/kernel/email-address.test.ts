import { describe, expect, it } from 'vitest'
import { emailAddress, foldAddress, knownAddress } from './email-address.ts'

const parsed = (text: string) => emailAddress.safeParse(text).data

describe('emailAddress', () => {
  it.each([
    'a&b@example.com',
    'x/y=z@example.com',
    'tilde~user@example.com',
    'user%host@example.com',
    'ada.l+tag@example.com',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s as it is', (address) => {
    expect(parsed(address)).toBe(address)
  })

  it.each([
    ['post@почта.рф', 'post@xn--80a1acny.xn--p1ai'],
    ['post@xn--80a1acny.xn--p1ai', 'post@xn--80a1acny.xn--p1ai'],
    ['\u3000 Ada@Example.COM\u00a0\n', 'Ada@example.com'],
  ])('spells %j as %s', (entered, address) => {
    expect(parsed(entered)).toBe(address)
  })

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@example',
    'a da@example.com',
    'ada@exa mple.com',
    'ada@example.com:25',
    'ada@ex%61mple.com',
    'ada@127.0.0.1',
    'ada@example..com',
    'a@b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'example.'.repeat(32)}com`,
    `ada@${'é'.repeat(2_000)}.com`,
  ])('refuses %j', (text) => {
    expect(emailAddress.safeParse(text).success).toBe(false)
  })

  it('explains that it cannot send to an address with other characters than ASCII before the @', () => {
    const message = emailAddress.safeParse('пост@example.com').error?.issues[0]?.message
    expect(message).toBe('The service cannot send to addresses with other characters than ASCII before the @')
  })

  it('is described in JSON Schema by its format, without a pattern', () => {
    expect(emailAddress.toJSONSchema()).toMatchObject({ type: 'string', format: 'email', maxLength: 254 })
    expect(emailAddress.toJSONSchema()).not.toHaveProperty('pattern')
  })
})

it('only trims a known address that would be refused', () => {
  expect(knownAddress(' пост@example ')).toBe('пост@example')
})

it('folds only A-Z, so the Kelvin sign stays what it is', () => {
  expect(foldAddress('ADA\u212a@example.com')).toBe('ada\u212a@example.com')
})
