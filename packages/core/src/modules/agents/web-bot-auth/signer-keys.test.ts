import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSignerKeys, thumbprintOf } from './signer-keys.ts'

const newJwk = (bits?: number): Record<string, unknown> =>
  (bits === undefined
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('rsa', { modulusLength: bits })
  ).publicKey.export({ format: 'jwk' }) as Record<string, unknown>

const key = newJwk()
const rsa = newJwk(2_048)
const read = (
  keys: readonly unknown[],
  names: 'directory' | 'thumbprint' | 'label' = 'directory',
  published = false,
) => [...(readSignerKeys(JSON.stringify({ keys }), names, published)?.keys() ?? [])]

/** RFC 9421, B.1.4. */
const PUBLISHED = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }

describe('a key set', () => {
  it('has Ed25519 and RSA keys by their thumbprints', () => {
    expect(read([key, rsa])).toEqual([thumbprintOf(key), thumbprintOf(rsa)])
    expect(thumbprintOf(PUBLISHED)).toBe('poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U')
  })

  it.each<[string, Record<string, unknown>]>([
    ['private', { ...key, d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU' }],
    ['shared', { kty: 'oct', k: 'AAAA' }],
    ['for encryption', { ...key, use: 'enc' }],
    ['for signing only', { ...key, key_ops: ['sign'] }],
    ['of another algorithm', { ...rsa, alg: 'RS256' }],
    ['of another curve', { kty: 'OKP', crv: 'X25519', x: key.x }],
    ['too small', newJwk(1_024)],
    ['too large', newJwk(5_120)],
    ['not a key', { ...key, x: '!' }],
    ['under the id of another', { ...key, kid: thumbprintOf(rsa) }],
  ])('drops a key that is %s, and keeps the others', (_case, dropped) => {
    expect(read([dropped, rsa])).toEqual([thumbprintOf(rsa)])
  })

  it('ignores labels outside of directories, and selects by them where they are the names', () => {
    const labeled = { ...key, kid: 'primary' }
    expect(read([labeled], 'thumbprint')).toEqual([thumbprintOf(key)])
    expect(read([labeled, rsa], 'label')).toEqual(['primary'])
  })

  it('accepts published example keys outside of production only', () => {
    expect(read([PUBLISHED])).toEqual([])
    expect(read([PUBLISHED], 'directory', true)).toHaveLength(1)
  })

  it('has times in seconds, or in milliseconds as some operators write them', () => {
    const timed = { ...key, nbf: 1_712_793_600, exp: 1_715_385_600_000 }
    const [found] = readSignerKeys(JSON.stringify({ keys: [timed] }), 'directory', false)?.values() ?? []
    expect(found).toMatchObject({ notBefore: 1_712_793_600_000, notAfter: 1_715_385_600_000 })
  })

  it.each(['', '[]', '{}', '{"keys":{}}', 'null'])('is not read from %j', (text) => {
    expect(readSignerKeys(text, 'directory', false)).toBeUndefined()
  })
})
