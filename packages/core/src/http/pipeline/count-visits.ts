import type { FastifyRequest } from 'fastify'
import type { AgentAccess } from '../../model/agent.ts'
import { botName, claimedSigner } from '../../model/bot.ts'
import { PREFIX_BY_TYPE } from '../../model/profile-type.ts'
import type { Visit } from '../../model/visit.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { formatOf, suffixesOf } from '../documents/negotiation.ts'

type Visited = Pick<Profile, 'id' | 'ownerAccountId' | 'type' | 'username'>

/** A path without the key of a file of an unlisted profile, which figures must not reveal. */
const withoutKey = (path: string): string => path.replace(/\?key=.*$/, '')

/** The path of a resource below its profile, so that figures are kept when the username changes. */
function pathBelow({ type, username }: Visited, address: string): string {
  const path = withoutKey(address)
  const own = `/${PREFIX_BY_TYPE[type]}/${username}`
  if (!path.startsWith(own)) return path
  const below = path.slice(own.length)
  return below.startsWith('/') ? below : `/${below}`
}

/** The format of the response to a request for a document; answers of other routes are JSON. */
const documentFormat = (request: FastifyRequest): string =>
  suffixesOf(request.routeOptions.config.eep?.produces) ? formatOf(request) : 'json'

/** A granted read of a profile, a page or a file. Default for `format`: that of the document. */
const viewOf = (request: FastifyRequest, profile: Visited, path: string, format?: string): Visit => ({
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

/** Whether a request reads a document. A browser also loads images of a page, and pages before anyone opens them. */
const isRead = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] !== 'image' &&
  ![headers['sec-purpose'], headers.purpose].some((purpose) =>
    [purpose ?? []].flat().some((one) => one.includes('prefetch')),
  )

/**
 * Counts a visit. Requests of the account that owns the profile are not counted, nor are those of other methods than GET but checkouts, for images
 * that a page embeds, and for what a browser loads before anyone opens it.
 */
export function countVisit(
  request: FastifyRequest,
  visit: Visit,
  owner?: Pick<Profile, 'ownerAccountId'> | undefined,
): void {
  const { onVisit, caller, agent } = request.eep
  if (onVisit === undefined || !isRead(request)) return
  if (request.method !== 'GET' && visit.kind !== 'checkout') return
  if (caller !== undefined && caller.account.id === owner?.ownerAccountId) return
  onceIdentified(request, () => {
    const bot = botOf(request)
    const { keyId, app } = caller ?? {}
    const isAgent = agent !== undefined || keyId !== undefined || app !== undefined || bot !== undefined
    onVisit(
      visit,
      { ip: request.ip, headers: request.headers, channel: request.eep.dispatched?.by ?? 'http' },
      isAgent ? { did: agent?.did, verified: agent?.verified ?? false, keyId, app, bot } : undefined,
    )
  })
}

/** The name of the program that signed a request. */
const botOf = ({ eep: { bot } }: FastifyRequest): string | undefined =>
  bot.state === 'verified' ? botName(bot) : undefined

/** Runs work once the program that signed a request is known, which for others is now. The response does not wait for it. */
function onceIdentified({ eep }: FastifyRequest, work: () => void): void {
  const { bot, botCheck } = eep
  if (botCheck && bot.state === 'unverified' && bot.reason === 'directory_pending') void botCheck.result.then(work)
  else work()
}

/** Receives reads and search results of agents. It returns immediately and does not throw. */
export type OnAgentAccess = (access: AgentAccess) => void

type Owned = Pick<Profile, 'id' | 'ownerAccountId'>

/** The agent of a request, for a profile; undefined for people, anonymous clients and the account that owns the profile. */
function agentOf(request: FastifyRequest, { id, ownerAccountId }: Owned) {
  const { agent, caller } = request.eep
  const signer = botOf(request)
  if (agent === undefined && caller?.keyId === undefined && signer === undefined) return undefined
  if (caller?.account.id === ownerAccountId) return undefined
  const claimed = claimedSigner(request.headers['signature-agent'])
  const origin = signer ?? claimed
  const bot = origin === undefined ? undefined : { origin, verified: signer !== undefined }
  return { profileId: id, did: agent?.did, verified: agent?.verified ?? false, keyId: caller?.keyId, bot }
}

/**
 * Counts a read that is granted, and reports that of an agent, for the team of the profile. Reads of the account that owns the
 * profile are neither counted nor reported. Returns what was counted, for answers that are cached.
 *
 * @param format - Default: the format of the document that the request asks for.
 */
export function reportRead(
  request: FastifyRequest,
  profile: Visited,
  { name, path }: { readonly name: string; readonly path: string },
  format?: string,
): Visit {
  const { eep } = request
  const { onAgentAccess } = eep
  if (onAgentAccess) {
    onceIdentified(request, () => {
      const agent = agentOf(request, profile)
      if (agent) onAgentAccess({ kind: 'read', ...agent, resource: name, path: withoutKey(path) })
    })
  }
  const visit = viewOf(request, profile, path, format)
  countVisit(request, visit, profile)
  return visit
}

/** A result of a search, of a profile. */
interface Found {
  readonly profile: Owned
  readonly resource: string | null
  readonly path: string
  /**
   * Whether it has words of the query, or similar ones. Results that are found only by meaning can be far from the
   * query.
   */
  readonly hasWords: boolean
}

/**
 * Counts the results of a search, given best first, and reports those of agents: the team of each profile gets its best
 * result. A query is counted once, with its first page, for the profiles of results that have its words. Searches of
 * the account that owns the profile are neither counted nor reported.
 */
export function reportSearch(
  request: FastifyRequest,
  { query, isFirstPage }: { readonly query: string; readonly isFirstPage: boolean },
  found: readonly Found[],
): void {
  const { eep } = request
  const [counted, reported] = [new Set<number>(), new Set<number>()]
  for (const { profile, resource, path, hasWords } of found) {
    if (isFirstPage && hasWords && !counted.has(profile.id)) {
      counted.add(profile.id)
      countVisit(request, { kind: 'search', profileId: profile.id, query }, profile)
    }
    if (reported.has(profile.id)) continue
    reported.add(profile.id)
    onceIdentified(request, () => {
      const agent = agentOf(request, profile)
      if (agent) eep.onAgentAccess?.({ kind: 'search', ...agent, resource, path })
    })
  }
}
