import type { JsonObject } from '../../kernel/json.ts'
import type { PublicJwk } from '../../kernel/keyring.ts'

/**
 * The DID document of the service: the keys that sign its receipts, and where to begin (did:web, DID Core 1.0). The
 * first key is the one in use.
 */
export function serviceDidDocument(did: string, publicUrl: string, keys: readonly PublicJwk[]): JsonObject {
  const methods = keys.map(({ kty, crv, x, kid }) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey2020',
    controller: did,
    publicKeyJwk: { kty, crv, x, kid },
  }))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
    service: [{ id: `${did}#eep`, type: 'EEPManifest', serviceEndpoint: `${publicUrl}/.well-known/eep.json` }],
  }
}

/** Where a resolver looks for the document of a `did:web`: at the host, or below the path it names. */
export const didDocumentPath = (publicUrl: string): '/.well-known/did.json' | '/did.json' =>
  new URL(publicUrl).pathname === '/' ? '/.well-known/did.json' : '/did.json'
