import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { component, verifySignature } from 'http-message-sig'
import { afterAll, expect, it } from 'vitest'
import { createTestApp, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { client } from '../../support/client.ts'

const DIRECTORY = '/.well-known/http-message-signatures-directory'
const received: IncomingHttpHeaders[] = []
const server = createServer((request, response) => {
  received.push(request.headers)
  response.writeHead(404).end()
})
await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
afterAll(() => server.close())
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
/** A request for whose agent the service reads a DID document. */
const ASKING = {
  'eep-agent-did': `did:web:${host.replace(':', '%3A')}`,
  'eep-nonce': 'a-nonce-of-a-test',
  'eep-signature': 'x',
}
const NEXT_SECRET = 'the next secret for tests, of thirty-two characters or more'

it('signs what the service reads with a published key, which rotates with the secret', async () => {
  const { app, close } = await createTestApp({
    secret: [NEXT_SECRET, SECRET],
    webBotAuth: { signOutbound: true },
    http: { allowPrivateHosts: [host] },
  })
  const directory = await client(app).get(DIRECTORY)
  expect(directory.headers['content-type']).toBe('application/http-message-signatures-directory+json')
  const { keys } = directory.json()
  expect(keys).toHaveLength(2)

  await client(app).get('/discover', ASKING)
  const [headers] = received.splice(0)
  expect(headers?.['signature-agent']).toBe(`sig1="${PUBLIC_URL}"`)
  const fields = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value: String(value) }))
  const { parameters } = await verifySignature(
    { kind: 'request', method: 'GET', targetUri: `http://${host}/.well-known/did.json`, fields },
    {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: ['@authority', component('signature-agent', { key: 'sig1' })],
        requiredParameters: ['created', 'expires', 'nonce', 'tag'],
      },
      resolveVerifier: ({ parameters: { keyid } }) => {
        expect(keyid).toBe(keys[0].kid)
        const key = createPublicKey({ key: keys[0], format: 'jwk' })
        return { algorithm: 'ed25519', verify: (base, signature) => verify(null, base, key, signature) }
      },
    },
  )
  expect(parameters.tag).toBe('web-bot-auth')
  await close()

  const before = await createTestApp({ webBotAuth: { signOutbound: true } })
  expect((await client(before.app).get(DIRECTORY)).json().keys).toEqual([keys[1]])
  const receipts = (await client(before.app).get('/.well-known/jwks.json')).json()
  expect(JSON.stringify(receipts)).not.toContain(keys[1].x)
  await before.close()
})

it('signs nothing by default, and has no directory', async () => {
  const { app, close } = await createTestApp({ http: { allowPrivateHosts: [host] } })
  expect((await client(app).get(DIRECTORY)).statusCode).toBe(404)
  await client(app).get('/discover', ASKING)
  expect(received.splice(0).map((headers) => headers.signature)).toEqual([undefined])
  await close()
})

it('fails to start where no directory could have the keys', async () => {
  const options = { publicUrl: 'https://profiles.example/below', webBotAuth: { signOutbound: true } }
  await expect(createTestApp(options)).rejects.toThrow('needs a publicUrl of https without a path')
})
