import type { JsonObject } from '../../kernel/json.ts'
import type { PublicJwk } from '../../kernel/keyring.ts'
import { didOf, serviceDid } from './did.ts'
import { urlsOf } from './record.ts'
import type { Profile } from './store.ts'

/**
 * The DID document of a profile (did:web, DID Core 1.0). The service holds the keys and signs for the profile, so it is
 * named as their controller; the first key is the one in use.
 */
export function profileDidDocument(profile: Profile, publicUrl: string, keys: readonly PublicJwk[]): JsonObject {
  const did = didOf(publicUrl, profile)
  const controller = serviceDid(publicUrl)
  const urls = urlsOf(publicUrl, profile)
  const methods = keys.map(({ kty, crv, x, kid }) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey2020',
    controller,
    publicKeyJwk: { kty, crv, x, kid },
  }))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    controller,
    alsoKnownAs: [urls.self],
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
    service: [
      { id: `${did}#profile`, type: 'EEPProfile', serviceEndpoint: urls.self },
      { id: `${did}#contents`, type: 'EEPContents', serviceEndpoint: urls.contents },
      { id: `${did}#eep`, type: 'EEPManifest', serviceEndpoint: `${publicUrl}/.well-known/eep.json` },
    ],
  }
}
