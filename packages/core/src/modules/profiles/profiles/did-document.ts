import type { JsonObject } from '../../../kernel/json.ts'
import type { PublicJwk } from '../../../kernel/keyring.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { didDocumentHead, didOf, serviceDid } from './did.ts'
import { urlsOf } from './serialize-profile.ts'

/**
 * The DID document of a profile (did:web, DID Core 1.0). The service holds the keys and signs for the profile, so it is
 * named as their controller; the first key is the one in use. Former names that are still reserved appear as DIDs in
 * `alsoKnownAs`.
 */
export function profileDidDocument(
  profile: Profile,
  publicUrl: string,
  keys: readonly PublicJwk[],
  formerNames: readonly string[] = [],
): JsonObject {
  const did = didOf(publicUrl, profile)
  const controller = serviceDid(publicUrl)
  const urls = urlsOf(publicUrl, profile)
  return {
    ...didDocumentHead(did, controller, keys),
    controller,
    alsoKnownAs: [urls.self, ...formerNames.map((username) => didOf(publicUrl, { type: profile.type, username }))],
    service: [
      { id: `${did}#profile`, type: 'EEPProfile', serviceEndpoint: urls.self },
      { id: `${did}#contents`, type: 'EEPContents', serviceEndpoint: urls.contents },
      { id: `${did}#eep`, type: 'EEPManifest', serviceEndpoint: `${publicUrl}/.well-known/eep.json` },
    ],
  }
}
