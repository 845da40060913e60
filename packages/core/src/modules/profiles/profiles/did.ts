import type { PublicJwk } from '../../../kernel/keyring.ts'
import { PREFIX_BY_TYPE, type ProfilePrefix, TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import type { Gate } from '../../../ports/storage/gates.ts'
import type { ProfileName } from '../../../ports/storage/profiles.ts'
import { MAX_USERNAME_LENGTH } from './username.ts'

/** The path of a profile on every listener: `/u/ada`. */
export const profilePath = ({ type, username }: ProfileName): string => `/${PREFIX_BY_TYPE[type]}/${username}`

const roots = new Map<string, string>()

/** The `did:web` of the service itself: a port as `%3A`, the path as further parts. */
export function serviceDid(publicUrl: string): string {
  const root = roots.get(publicUrl)
  if (root) return root
  const did = rootOf(publicUrl)
  roots.set(publicUrl, did)
  return did
}

function rootOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl)
  const segments = pathname.split('/').filter(Boolean)
  return ['did:web', encodeURIComponent(host), ...segments.map((segment) => segment.replaceAll(':', '%3A'))].join(':')
}

/** The DID of a profile: `did:web:{host}:{prefix}:{username}`. Its document is `did.json` below the profile's URL. */
export const didOf = (publicUrl: string, { type, username }: ProfileName): string =>
  `${serviceDid(publicUrl)}:${PREFIX_BY_TYPE[type]}:${username}`

/** The DID of a profile of another service. Not cached, because there can be any number of them. */
export const didOfIssuer = (issuer: string, { type, username }: ProfileName): string =>
  `${rootOf(issuer)}:${PREFIX_BY_TYPE[type]}:${username}`

/** The DID of the longest username under the longest prefix. */
export const longestDid = (publicUrl: string): string =>
  didOf(publicUrl, { type: 'agent', username: 'x'.repeat(MAX_USERNAME_LENGTH) })

/** The common part of DID documents of this service: subject, controller and keys. */
export function didDocumentHead(did: string, controller: string, keys: readonly PublicJwk[]) {
  const verificationMethod = keys.map(({ kty, crv, x, kid }) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey2020',
    controller,
    publicKeyJwk: { kty, crv, x, kid },
  }))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod,
    assertionMethod: verificationMethod.map(({ id }) => id),
  }
}

/**
 * The type and username that a DID of this service names. Undefined for any other DID. The colon before a port may be
 * escaped or not, because URL paths are decoded before a DID is read from them.
 */
export function parseDid(publicUrl: string, did: string): ProfileName | undefined {
  const parts = did.split(':')
  const [prefix = '', username = ''] = parts.splice(-2)
  if (!Object.hasOwn(TYPE_BY_PREFIX, prefix) || !username) return undefined
  if (unescaped(parts.join(':')) !== unescaped(serviceDid(publicUrl))) return undefined
  return { type: TYPE_BY_PREFIX[prefix as ProfilePrefix], username }
}

/** Whether a DID is that of the service, or has the form of those of its profiles. */
export const isOwnDid = (publicUrl: string, did: string): boolean =>
  unescaped(did) === unescaped(serviceDid(publicUrl)) || parseDid(publicUrl, did) !== undefined

const unescaped = (did: string) => did.replaceAll(/%3a/gi, ':')

/**
 * Returns a gate with only the bindings to DIDs of this service, so that a stored binding to another host's DID never
 * grants access.
 */
export const withOwnDids = (publicUrl: string, gate: Gate): Gate => ({
  ...gate,
  boundDids: Object.fromEntries(
    Object.entries(gate.boundDids).filter(([did]) => parseDid(publicUrl, did) !== undefined),
  ),
})
