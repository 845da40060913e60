import { type EepError, type ErrorDefinition, isEepError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { parseDid, serviceDid } from './did.ts'
import { didDeactivated, didMethodNotSupported, didNotFound, invalidDid, profileMoved } from './errors.ts'
import type { ProfileService } from './service.ts'

/** The document and metadata of a DID (W3C DID Resolution). */
export interface DidResolution {
  readonly didDocument: JsonObject
  readonly didResolutionMetadata: { readonly contentType: string }
  readonly didDocumentMetadata: {
    readonly created?: string
    readonly updated?: string
    /** The current DID of the subject. */
    readonly canonicalId?: string
  }
  /** The subject; undefined for the service itself. */
  readonly profile?: Profile | undefined
}

// DID Core 1.0, 3.1, also with the unescaped colon of a port in a did:web.
const DID = /^did:([a-z0-9]+):(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2}|:)*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})$/

const failed = (definition: ErrorDefinition, error: string): EepError =>
  definition({ body: { didDocument: null, didResolutionMetadata: { error }, didDocumentMetadata: {} } })

const contentType = 'application/did+json'

type Resolving = Pick<ProfileService, 'publicUrl' | 'find' | 'didOf' | 'getDidDocument' | 'byFormerName' | 'wasDeleted'>

/**
 * Resolves a DID of this service: its own, or that of a profile that the caller may see. The DID of a former name resolves to the
 * current document, which names both.
 *
 * @throws `invalid_did`, `did_not_found`, `did_deactivated` for a deleted profile that was public before,
 * `did_method_not_supported` for anything but did:web
 */
export async function resolveDid(
  did: string,
  profiles: Resolving,
  ownDocument: () => JsonObject,
  caller: Caller | undefined,
): Promise<DidResolution> {
  const method = DID.exec(did)?.[1]
  if (method === undefined) throw failed(invalidDid, 'invalidDid')
  if (method !== 'web') throw failed(didMethodNotSupported, 'methodNotSupported')
  const { publicUrl } = profiles
  if (unescaped(did) === unescaped(serviceDid(publicUrl))) {
    return {
      didDocument: ownDocument(),
      didResolutionMetadata: { contentType },
      didDocumentMetadata: {},
    }
  }
  const profile = await named(did, profiles, caller)
  if (!profile) {
    const name = parseDid(publicUrl, did)
    if (!name || !(await profiles.wasDeleted(name))) throw failed(didNotFound, 'notFound')
    const didDocumentMetadata = { deactivated: true }
    throw didDeactivated({ body: { didDocument: null, didResolutionMetadata: {}, didDocumentMetadata } })
  }
  const didDocument = await profiles.getDidDocument(profile)
  const canonicalId = profiles.didOf(profile)
  return {
    didDocument,
    didResolutionMetadata: { contentType },
    didDocumentMetadata: {
      created: profile.createdAt.toISOString(),
      updated: profile.updatedAt.toISOString(),
      ...(unescaped(canonicalId) === unescaped(did) ? {} : { canonicalId }),
    },
    profile,
  }
}

/** Returns the profile of a DID, also of a former name, if the caller may see it. */
async function named(did: string, profiles: Resolving, caller: Caller | undefined): Promise<Profile | undefined> {
  const name = parseDid(profiles.publicUrl, did)
  if (!name) return undefined
  try {
    return await profiles.find(name.type, name.username, caller)
  } catch (error) {
    if (!isEepError(error) || error.status >= 500) throw error
    return error.code === profileMoved.code ? profiles.byFormerName(name.type, name.username, caller) : undefined
  }
}

const unescaped = (did: string) => did.replaceAll(/%3a/gi, ':')
