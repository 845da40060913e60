import { type KeyObject, verify } from 'node:crypto'
import { sha256 } from '../../../kernel/digest.ts'
import type { SignedRequest } from '../../../model/agent.ts'

/** The text that an agent signs: method, path with query, its DID, the nonce and the SHA-256 of the body, one per line. */
export const signingInput = ({ method, path, agentDid, nonce, body }: SignedRequest): string =>
  [method, path, agentDid, nonce, sha256(body)].join('\n')

/** The verification of signatures by type of key. Other types are not accepted. */
function isSignedBy(key: KeyObject, input: Buffer, signature: Buffer): boolean {
  if (key.asymmetricKeyType === 'ed25519') return signature.length === 64 && verify(null, input, key, signature)
  // ES256K and ES256 (RFC 8812, RFC 7518): r and s, 32 bytes each.
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (key.asymmetricKeyType !== 'ec' || (curve !== 'secp256k1' && curve !== 'prime256v1')) return false
  return signature.length === 64 && verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

const SIGNATURE = /^[A-Za-z0-9_-]{86}(==)?$/

/** Whether one of the keys made a signature (base64url) over a text. */
export function isSigned(keys: readonly KeyObject[], text: string, signature: string): boolean {
  if (!SIGNATURE.test(signature)) return false
  const input = Buffer.from(text)
  const bytes = Buffer.from(signature, 'base64url')
  return keys.some((key) => isSignedBy(key, input, bytes))
}
