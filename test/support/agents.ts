import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58btc } from 'multiformats/bases/base58'

/** An agent with a new key. */
export interface TestAgent {
  readonly did: string
  readonly key: KeyObject
  /** The headers that sign a request. */
  sign(request: {
    readonly method?: string | undefined
    readonly path: string
    readonly body?: string | undefined
    readonly nonce?: string | undefined
  }): Record<string, string>
}

/** A signer under a name; what it signs is written here a second time, so that a slip of the service shows. */
function agentOf(did: string, key: KeyObject): TestAgent {
  return {
    did,
    key,
    sign({ method = 'GET', path, body = '', nonce = randomUUID() }) {
      const digest = createHash('sha256').update(body).digest('hex')
      const input = Buffer.from(`${method}\n${path}\n${did}\n${nonce}\n${digest}`)
      const signature =
        key.asymmetricKeyType === 'ed25519'
          ? sign(null, input, key)
          : sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' })
      return { 'eep-agent-did': did, 'eep-nonce': nonce, 'eep-signature': signature.toString('base64url') }
    },
  }
}

/** An agent under a name of any form, and its public key for a document. */
export function namedAgent(did: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { ...agentOf(did, privateKey), publicKeyJwk: publicKey.export({ format: 'jwk' }) }
}

const multibase = (prefix: readonly number[], key: Uint8Array) => base58btc.encode(Uint8Array.from([...prefix, ...key]))

/** An agent that is its own key: `did:key:z6Mk…`. */
export function keyAgent(curve: 'ed25519' | 'secp256k1' = 'ed25519'): TestAgent {
  if (curve === 'ed25519') {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { x = '' } = publicKey.export({ format: 'jwk' })
    return agentOf(`did:key:${multibase([0xed, 0x01], Buffer.from(x, 'base64url'))}`, privateKey)
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const odd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1
  const compressed = Buffer.concat([Buffer.from([2 + odd]), Buffer.from(x, 'base64url')])
  return agentOf(`did:key:${multibase([0xe7, 0x01], compressed)}`, privateKey)
}

/** An agent with its document on a separate web server, which must be allowed as `host`. */
export async function webAgent() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    if (request.url !== '/agents/one/did.json') return response.writeHead(404).end()
    const id = `${did}#key`
    return response.writeHead(200, { 'content-type': 'application/did+json' }).end(
      JSON.stringify({
        '@context': 'https://www.w3.org/ns/did/v1',
        id: did,
        verificationMethod: [
          { id, type: 'JsonWebKey', controller: did, publicKeyJwk: publicKey.export({ format: 'jwk' }) },
        ],
        authentication: ['#key'],
      }),
    )
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const did = `did:web:127.0.0.1%3A${port}:agents:one`
  return {
    ...agentOf(did, privateKey),
    host: `127.0.0.1:${port}`,
    asked: () => asked,
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}
