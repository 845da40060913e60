import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDidResolver } from './did-resolver.ts'

const { publicKey } = generateKeyPairSync('ed25519')
const method = { id: '#k', type: 'JsonWebKey', publicKeyJwk: publicKey.export({ format: 'jwk' }) }

/** A resolver that finds a document with these members at every host. */
function resolver(members: object) {
  const asked: string[] = []
  const fetch = async (url: URL | string) => {
    const { host } = new URL(url)
    asked.push(host)
    const body = Buffer.from(JSON.stringify({ id: `did:web:${host}`, ...members }))
    return { status: 200, headers: {}, body }
  }
  const never = { check: () => {}, signWith: () => {}, close: async () => {} }
  const dids = createDidResolver({
    fetch: Object.assign(fetch, never),
    clock: () => new Date(0),
    own: async () => undefined,
  })
  return { ...dids, asked }
}

test('tries no more keys than a document needs', async () => {
  const naming = (times: number) =>
    resolver({ verificationMethod: [method], authentication: Array.from({ length: times }, () => '#k') })
  expect(await naming(20).keysOf('did:web:a.example', 'authentication')).toHaveLength(20)
  expect(await naming(21).keysOf('did:web:a.example', 'authentication')).toEqual([])
  const many = resolver({ verificationMethod: Array.from({ length: 101 }, () => method), authentication: ['#k'] })
  expect(await many.keysOf('did:web:a.example', 'authentication')).toEqual([])
})

test('keeps the keys of a document and no other links', async () => {
  const delegating = { ...method, type: 'ConditionalProof2022', conditionDelegated: '#k', threshold: 1 }
  const { resolve } = resolver({
    verificationMethod: [delegating],
    authentication: [delegating],
    service: [{ id: '#s' }],
  })
  const kept = { ...method, type: 'ConditionalProof2022' }
  expect(await resolve('did:web:a.example')).toEqual({
    id: 'did:web:a.example',
    verificationMethod: [kept],
    authentication: [kept],
  })
})

test('keeps documents, and no more than there is room for', async () => {
  const { resolve, asked } = resolver({ verificationMethod: [method], padding: 'x'.repeat(60_000) })
  await resolve('did:web:first.example')
  await resolve('did:web:first.example')
  expect(asked).toEqual(['first.example'])
  for (let one = 0; one < 80; one += 1) await resolve(`did:web:host-${one}.example`)
  await resolve('did:web:first.example')
  expect(asked.filter((host) => host === 'first.example')).toHaveLength(2)
})
