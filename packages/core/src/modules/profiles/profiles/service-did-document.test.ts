import { expect, it } from 'vitest'
import { createKeyring } from '../../../kernel/keyring.ts'
import { didDocumentPath, serviceDidDocument } from './service-did-document.ts'

it('lists every signing key, the one in use first', () => {
  const { publicKeys } = createKeyring(['a'.repeat(32), 'b'.repeat(32)])
  const document = serviceDidDocument('did:web:profiles.example', 'https://profiles.example', publicKeys)
  expect(document.assertionMethod).toEqual(publicKeys.map(({ kid }) => `did:web:profiles.example#${kid}`))
  expect(JSON.stringify(document)).not.toContain('"d"')
})

it.each([
  ['https://profiles.example', '/.well-known/did.json'],
  ['https://example.com:8443', '/.well-known/did.json'],
  ['https://example.com/profiles', '/did.json'],
])('answers at the place where resolvers look for the DID of %s', (publicUrl, path) => {
  expect(didDocumentPath(publicUrl)).toBe(path)
})
