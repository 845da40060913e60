import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { component, createSignature, type SignatureComponent, type Signer } from 'http-message-sig'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { PUBLIC_URL } from './app.ts'

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** A key pair of a signer. */
export interface SigningKey {
  readonly keyId: string
  readonly jwk: Record<string, unknown>
  readonly privateKey: KeyObject
  readonly signer: Signer
}

/** Creates a key: Ed25519, or RSA with `bits`. */
export async function newSigningKey(bits?: number): Promise<SigningKey> {
  const { publicKey, privateKey } =
    bits === undefined ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: bits })
  const jwk = await exportJWK(publicKey)
  const keyId = await calculateJwkThumbprint(jwk)
  const pss = { key: privateKey, padding: 6, saltLength: 64 }
  const signer: Signer =
    bits === undefined
      ? { algorithm: 'ed25519', sign: (base) => sign(null, base, privateKey) }
      : { algorithm: 'rsa-pss-sha512', sign: (base) => sign('sha512', base, pss) }
  return { keyId, jwk: { ...jwk, kid: keyId }, privateKey, signer }
}

/** Answers a request for keys; false leaves it to the default. */
export type DirectoryHandler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server with key directories on this machine. Its host is for `http.allowPrivateHosts`. */
export async function openDirectory(keys: readonly SigningKey[], handle: DirectoryHandler = () => false) {
  const requested: string[] = []
  let served: unknown[] = keys.map(({ jwk }) => jwk)
  let maxAge = 3_600
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    if (handle(request, response) !== false) return
    response.writeHead(200, { 'content-type': DIRECTORY_TYPE, 'cache-control': `max-age=${maxAge}` })
    response.end(JSON.stringify({ keys: served }))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    origin: `https://${host}`,
    /** The paths that were requested, in order. */
    requested,
    serve(...next: readonly unknown[]) {
      served = [...next]
    },
    keepFor(seconds: number) {
      maxAge = seconds
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export interface SigningOptions {
  readonly key: SigningKey
  /** The value of `Signature-Agent`. Default: the dictionary with `agent` under the label. */
  readonly signatureAgent?: string | undefined
  /** The origin of the directory. */
  readonly agent?: string | undefined
  readonly label?: string | undefined
  readonly path?: string | undefined
  /** The authority that is signed, with its scheme. Default: that of the service. */
  readonly target?: string | undefined
  readonly components?: readonly SignatureComponent[] | undefined
  readonly parameters?: Readonly<Record<string, string | number | undefined>> | undefined
  /** In seconds. */
  readonly now?: number | undefined
  readonly signer?: Signer | undefined
}

/** Signs a GET request with `http-message-sig` and returns its headers. */
export async function signedHeaders({
  key,
  agent = '',
  label = 'sig1',
  signatureAgent = `${label}="${agent}"`,
  path = '/',
  target = PUBLIC_URL,
  components = ['@authority', component('signature-agent', { key: label })],
  parameters,
  now = Math.floor(Date.now() / 1_000),
  signer = key.signer,
}: SigningOptions): Promise<Record<string, string>> {
  const message = {
    kind: 'request',
    method: 'GET',
    targetUri: `${target}${path}`,
    fields: [{ name: 'signature-agent', value: signatureAgent }],
  } as const
  const all = {
    created: now,
    expires: now + 300,
    keyid: key.keyId,
    nonce: randomBytes(64).toString('base64url'),
    tag: 'web-bot-auth',
    ...parameters,
  }
  const signed = await createSignature(message, { label, components, parameters: all, signer })
  return { signature: signed.signature, 'signature-input': signed.signatureInput, 'signature-agent': signatureAgent }
}
