import { describe, expect, it } from 'vitest'
import { cardKeys } from './keys.ts'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]
const CARDS = { name: 'card rail', salt: 'eep-payments-card' }

const railKeys = (secret: Parameters<typeof cardKeys>[0], owner = CARDS) => cardKeys(secret, owner)

describe('the keys of a rail', () => {
  it('verifies and opens texts of an older secret', () => {
    const before = railKeys(OLD)
    const after = railKeys([NEW, OLD])
    expect(after.isSigned('text', before.sign('text'))).toBe(true)
    expect(after.open(before.seal('spt_1'))).toBe('spt_1')
    expect(before.isSigned('text', after.sign('text'))).toBe(false)
    expect(before.open(after.seal('spt_1'))).toBeUndefined()
  })

  it('rejects another text, a changed seal and nonsense', () => {
    const keys = railKeys(OLD)
    expect(keys.isSigned('other', keys.sign('text'))).toBe(false)
    expect(keys.isSigned('text', '')).toBe(false)
    const sealed = keys.seal('spt_1')
    expect(keys.open(`${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`)).toBeUndefined()
    expect(keys.open('')).toBeUndefined()
  })

  it('seals a text differently each time, with the same fingerprint', () => {
    const keys = railKeys(OLD)
    expect(keys.seal('spt_1')).not.toBe(keys.seal('spt_1'))
    expect(keys.name('pi_1')).toBe(keys.name('pi_1'))
    expect(keys.name('pi_1')).not.toBe(railKeys(NEW).name('pi_1'))
  })

  it('are others for another owner of the same secret', () => {
    const other = railKeys(OLD, { ...CARDS, salt: 'other' })
    expect(other.isSigned('text', railKeys(OLD).sign('text'))).toBe(false)
    expect(other.open(railKeys(OLD).seal('spt_1'))).toBeUndefined()
  })

  it('sign the same text in the same way in every version', () => {
    expect(railKeys(OLD).sign('text')).toBe('R0h1p8C8TvZ8ToWJeKF9rOE2HcQw31sJ2unVRsGdnZE')
    expect(railKeys(OLD).name('pi_1')).toBe('IiLyXUCeyz_WMhf_ypoq01')
  })

  it.each([[''], ['short'], [[]], [[OLD, 'short']]])('refuses %j as secrets', (secret) => {
    expect(() => railKeys(secret)).toThrow('32 characters')
  })
})
