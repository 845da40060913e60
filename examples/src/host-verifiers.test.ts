import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { signRequest } from './agent.ts'
import { host } from './host-verifiers.ts'

it('lets the host verify custom requirements', async () => {
  const { storage, close } = await openStorage()
  const app = await host(
    { publicUrl: 'https://club.example', storage, secret: 'a secret of thirty-two characters, or more' },
    async () => [],
  )
  const explained = await app.inject({
    method: 'POST',
    url: '/auth/register',
    payload: {
      email: 'ada@example.com',
      password: 'Correct horse 7 battery',
      username: 'ada-of-the-club',
    },
  })
  const { token } = explained.json()
  const headers = { authorization: `Bearer ${token}` }
  const gate = '/eep/gates/did:web:club.example:u:ada-of-the-club'
  await app.inject({
    method: 'PUT',
    url: gate,
    headers,
    payload: {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        members: { requirements: [{ type: 'x-membership', club: 'chess' }], access: ['content.*'] },
      },
    },
  })
  const answer = await app.inject({ url: `${gate}/explain?resource=content.openings`, headers })
  expect(answer.json()).toMatchObject({
    state: 'closed',
    tiers: [{ opens_by: 'proof', requirements: [{ verifiable: true }] }],
  })
  await app.close()
  await close()
})

it('signs a request as the docs say', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const url = new URL('https://profiles.example/u/ada?format=json')
  const headers = signRequest({ did: 'did:web:agent.example', key: privateKey }, 'GET', url)
  const lines = [
    'GET',
    '/u/ada?format=json',
    'did:web:agent.example',
    headers['EEP-Nonce'],
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ]
  const signature = Buffer.from(headers['EEP-Signature'], 'base64url')
  expect(verify(null, Buffer.from(lines.join('\n')), publicKey, signature)).toBe(true)
})
