import type { JsonObject } from '../../../kernel/json.ts'
import type { PublicJwk } from '../../../kernel/keyring.ts'
import { didDocumentHead } from './did.ts'

/**
 * The DID document of the service: the keys that sign its receipts, and its entry point (did:web, DID Core 1.0). The
 * first key is the one in use.
 */
export function serviceDidDocument(did: string, publicUrl: string, keys: readonly PublicJwk[]): JsonObject {
  return {
    ...didDocumentHead(did, did, keys),
    service: [{ id: `${did}#eep`, type: 'EEPManifest', serviceEndpoint: `${publicUrl}/.well-known/eep.json` }],
  }
}

/** The path of the document of a `did:web`: at the host, or below the path of the DID. */
export const didDocumentPath = (publicUrl: string): '/.well-known/did.json' | '/did.json' =>
  new URL(publicUrl).pathname === '/' ? '/.well-known/did.json' : '/did.json'
