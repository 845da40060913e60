import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { namedAgent } from '../support/agents.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

// Requests that an anonymous client can cause by signing as did:web: private addresses, and malicious documents.

type Answer = (response: Parameters<RequestListener>[1]) => void

let service: Awaited<ReturnType<typeof createTestApp>>
/** The response at each path of the one site that may be requested. */
const site = new Map<string, Answer>()
const asked: string[] = []
let knocks = 0

const server = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  const answer = site.get(path)
  if (answer) answer(response)
  else response.writeHead(404).end()
})
// A private server on a separate port. Each connection is a request that should have been refused.
const inside = createTcpServer((socket) => {
  knocks += 1
  socket.destroy()
})
const portOf = (one: { address(): unknown }) => (one.address() as AddressInfo).port

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  await new Promise<void>((done) => void inside.listen(0, '::', done))
  service = await createTestApp({ http: { allowPrivateHosts: [`127.0.0.1:${portOf(server)}`] } })
  await signUp(service.app, 'ada')
})
afterAll(async () => {
  await service.close()
  server.closeAllConnections()
  server.close()
  inside.close()
})

const path = '/u/ada?format=json'

async function readAs(agent: ReturnType<typeof namedAgent>) {
  const answer = await client(service.app).get(path, agent.sign({ path }))
  return { status: answer.statusCode, code: answer.statusCode === 200 ? undefined : codeOf(answer) }
}

async function expectRefused(did: string) {
  const { status, code } = await readAs(namedAgent(did))
  expect([status, code]).toEqual([401, 'invalid_signature'])
}

describe('a name that leads inside', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    '10.0.0.1',
    '10.1',
    '100.64.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ]
  const addresses6 = [
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fe80::1%25lo',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
  ]

  it.each(hosts)('never calls %s, on any port', async (host) => {
    for (const port of ['', '%3A443', '%3A8443', '%3A80', '%3A22', `%3A${portOf(inside)}`]) {
      await expectRefused(`did:web:${host}${port}`)
    }
    expect(knocks).toBe(0)
  })

  it.each(addresses6)('never calls [%s], in any spelling', async (address) => {
    const port = portOf(inside)
    const spellings = [
      `[${address}]`,
      `%5B${address.replaceAll(':', '%3A')}%5D`,
      `%5B${address}%5D%3A${port}`,
      address.replaceAll(':', '%3A'),
    ]
    for (const spelling of spellings) {
      await expectRefused(`did:web:${spelling}`)
    }
    expect(knocks).toBe(0)
  })

  it.each([
    'user@127.0.0.1',
    'user%40127.0.0.1',
    'example.com%2F..%2F..',
    'example.com%23@127.0.0.1',
    'example.com%3A443%40127.0.0.1',
    'example.com%3A99999',
    'example.com%3A22',
    'example.com%0d%0aHost%3Alocalhost',
    'example.com:..:..:etc',
    'example.com:.:x',
    'example.com:a%2Fb',
    'example.com:a%3Fb',
    'exa_mple.com',
    '',
    ':a',
    `${'a'.repeat(64)}.${'b'.repeat(300)}`,
  ])('rejects %s as a host name', async (name) => {
    await expectRefused(`did:web:${name}`)
    expect(knocks).toBe(0)
  })
})

describe('a document that is a trap', () => {
  let count = 0

  /** An agent of the site, and the response instead of its document. */
  function agentAt(answerWith: (document: object, did: string) => Answer) {
    const name = `agent-${++count}`
    const agent = namedAgent(`did:web:127.0.0.1%3A${portOf(server)}:${name}`)
    const { did, publicKeyJwk } = agent
    const key = { id: `${did}#key`, type: 'JsonWebKey', controller: did, publicKeyJwk }
    const document = { id: did, verificationMethod: [key], authentication: [key.id] }
    site.set(`/${name}/did.json`, answerWith(document, did))
    return agent
  }
  const json =
    (value: unknown, status = 200): Answer =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/did+json' }).end(JSON.stringify(value))
  const redirect =
    (location: string, status: number): Answer =>
    (response) =>
      response.writeHead(status, { location }).end()

  it('rejects a document that is not a DID document', async () => {
    expect((await readAs(agentAt((document) => json(document)))).status).toBe(200)
  })

  it.each([301, 302, 303, 307, 308])(
    'follows no redirect with %i, neither to private addresses nor to the real document',
    async (code) => {
      for (const location of [
        `http://127.0.0.1:${portOf(inside)}/`,
        'http://169.254.169.254/latest',
        '/real/did.json',
      ]) {
        const agent = agentAt((document) => {
          site.set('/real/did.json', json(document))
          return redirect(location, code)
        })
        expect((await readAs(agent)).status, location).toBe(401)
      }
      expect(asked).not.toContain('/real/did.json')
      expect(knocks).toBe(0)
    },
  )

  it.each<[string, (document: object, did: string) => Answer]>([
    ['is about another DID', (document) => json({ ...document, id: 'did:web:example.com' })],
    ['is a list', (document) => json([document])],
    ['comes with an error', (document) => json(document, 500)],
    ['is only accepted', (document) => json(document, 202)],
    ['is not JSON', () => (response) => response.end('<h1>Welcome</h1>')],
    ['is empty', () => (response) => response.end()],
    [
      'lets its key do something else',
      (document) => json({ ...document, authentication: [], assertionMethod: ['#key'] }),
    ],
    [
      'has a key that is none',
      (document, did) => json({ ...document, authentication: [{ id: `${did}#a`, type: 'x' }] }),
    ],
    ['has no end', () => pour],
    ['is longer than documents are', (document) => json({ ...document, padding: 'x'.repeat(70_000) })],
    ['announces a shorter length than it has', (document) => lyingLength(document)],
    ['breaks off', () => (response) => void response.writeHead(200).write('{"id":', () => response.destroy())],
  ])('opens nothing when it %s', async (_what, answerWith) => {
    const { status } = await readAs(agentAt(answerWith))
    expect(status).toBe(401)
  })

  const pour: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, ' ')));
    }
    response.on('drain', more)
    more()
  }
  const lyingLength =
    (document: object): Answer =>
    (response) =>
      void response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n${JSON.stringify(document)}`)

  it('ends silent and dropped requests for documents after five seconds, and serves other requests meanwhile', async () => {
    const silent = agentAt(() => () => {})
    const dripping = agentAt(() => (response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(drip))
    })
    const slow = Promise.all([silent, silent, dripping].map(readAs))
    const meanwhile = await client(service.app).get(path)
    expect(meanwhile.statusCode).toBe(200)
    for (const { status } of await slow) {
      expect(status).toBe(401)
    }
    // Two requests for one document caused one fetch, and the failure is cached.
    const asksOf = (name: string | undefined) => asked.filter((one) => one === `/${name}/did.json`).length
    expect((await readAs(silent)).status).toBe(401)
    expect(asksOf(silent.did.split(':').at(-1))).toBe(1)
  })
})
