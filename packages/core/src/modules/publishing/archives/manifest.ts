import { canonicalJson } from '../../../kernel/digest.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring, PublicJwk } from '../../../kernel/keyring.ts'

/** The name of the format, and its version. A reader refuses other versions. */
export const SCHEMA = 'eep-export/1'
/** The last member of each archive. */
export const MANIFEST_PATH = 'manifest.json'

/** A member in the manifest. */
export interface ListedMember {
  readonly path: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The fields of a manifest other than its members. */
export interface ManifestHead {
  readonly issuer: string
  readonly issuer_did: string
  readonly exported_at: string
  readonly [member: string]: unknown
}

/** Creates the manifest of an archive: a list of its members that the service has signed. */
export function signManifest(
  head: ManifestHead,
  members: readonly ListedMember[],
  { publicKeys, signText }: Pick<Keyring, 'publicKeys' | 'signText'>,
): JsonObject {
  const [key] = publicKeys as readonly [PublicJwk]
  const unsigned = { schema: SCHEMA, ...head, members, key }
  return JSON.parse(JSON.stringify({ ...unsigned, signature: signText(canonicalJson(unsigned)) }))
}
