import { expect, it } from 'vitest'
import { createMemorySeal } from './sealed-memory.ts'

const [OLD, NEW] = [
  'the old key of this memory, thirty-two characters',
  'the new key of this memory, thirty-two characters',
]

it('encrypts a text for one session, differently each time', () => {
  const seal = createMemorySeal([NEW])
  const [one, other] = [seal.seal('a secret 🔑', 's1'), seal.seal('a secret 🔑', 's1')]
  expect(one.text).not.toContain('secret')
  expect(one.text).not.toBe(other.text)
  expect(seal.open(one, 's1')).toBe('a secret 🔑')
  expect(() => seal.open(one, 's2')).toThrow()
})

it('rejects a text that was changed', () => {
  const seal = createMemorySeal([NEW])
  const { text, keyId } = seal.seal('a secret', 's1')
  const bytes = Buffer.from(text, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  expect(() => seal.open({ text: bytes.toString('base64url'), keyId }, 's1')).toThrow()
})

it('decrypts with every key, encrypts with the first, and reads plain texts', () => {
  const old = createMemorySeal([OLD]).seal('a secret', 's1')
  const seal = createMemorySeal([NEW, OLD])
  expect(seal.open(old, 's1')).toBe('a secret')
  expect(seal.seal('another', 's1').keyId).not.toBe(old.keyId)
  expect(seal.open({ text: 'plain', keyId: null }, 's1')).toBe('plain')
})

it('stores texts as they are without a key, and reports a missing key', () => {
  const seal = createMemorySeal([])
  expect(seal.seal('plain', 's1')).toEqual({ text: 'plain', keyId: null })
  const sealed = createMemorySeal([OLD]).seal('a secret', 's1')
  expect(() => seal.open(sealed, 's1')).toThrow(expect.objectContaining({ code: 'memory_key_missing' }))
})
