import type { FastifyRequest } from 'fastify'
import { PREFIX_BY_TYPE } from '../model/profile-type.ts'
import type { Visit } from '../model/visit.ts'
import type { Profile } from '../ports/storage/profiles.ts'
import { formatOf, suffixesOf } from './negotiation.ts'

type Visited = Pick<Profile, 'id' | 'ownerAccountId' | 'type' | 'username'>

/** The path of a resource below its profile, so that figures are kept when the username changes. */
function pathBelow({ type, username }: Visited, path: string): string {
  const own = `/${PREFIX_BY_TYPE[type]}/${username}`
  if (!path.startsWith(own)) return path
  const below = path.slice(own.length)
  return below.startsWith('/') ? below : `/${below}`
}

/** The format of the response to a request for a document; answers of other routes are JSON. */
const documentFormat = (request: FastifyRequest): string =>
  suffixesOf(request.routeOptions.config.eep?.produces) ? formatOf(request) : 'json'

/** A granted read of a profile, a page or a file. Default for `format`: that of the document. */
export const viewOf = (request: FastifyRequest, profile: Visited, path: string, format?: string): Visit => ({
  kind: 'view',
  profileId: profile.id,
  path: pathBelow(profile, path),
  format: format ?? documentFormat(request),
})

/** A 402 for a profile, a page or a file. */
export const paywallVisit = (profile: Visited, path: string, price: string | undefined): Visit => ({
  kind: 'paywall',
  profileId: profile.id,
  path: pathBelow(profile, path),
  price,
})

/** Counts a visit. Requests of the account that owns the profile are not counted, nor are those of other methods than GET. */
export function countVisit(
  request: FastifyRequest,
  visit: Visit,
  owner?: Pick<Profile, 'ownerAccountId'> | undefined,
): void {
  const { onVisit, caller, agent } = request.eep
  if (onVisit === undefined || request.method !== 'GET') return
  if (caller !== undefined && caller.account.id === owner?.ownerAccountId) return
  const isAgent = agent !== undefined || caller?.keyId !== undefined
  onVisit(
    visit,
    request,
    isAgent ? { did: agent?.did, verified: agent?.verified ?? false, keyId: caller?.keyId } : undefined,
  )
}
