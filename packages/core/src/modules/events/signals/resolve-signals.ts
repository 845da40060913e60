import { cutToCodePoints } from '../../../kernel/graphemes.ts'
import { asJson, type JsonObject } from '../../../kernel/json.ts'
import type { Action, May } from '../../../model/permission.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { EventCatalogue } from '../../../runtime/events/catalogue.ts'
import type { ProfileAddress } from '../../../runtime/events/signals.ts'
import type { CacheEntry, ReadCache } from '../../../runtime/storage/read-cache.ts'
import { accountsOfTeam, profilePath } from '../../profiles/profiles/index.ts'
import type { SignalPage } from '../../publishing/content/index.ts'
import type { Recipients, SignalEvent, Team } from './envelope.ts'
import { encodeEventId } from './event-id.ts'
import { matches, type SignalFilter } from './filter.ts'

/** In code points. The data has what is longer. */
const MAX_SUBJECT = 256

export interface ResolveDeps {
  readonly read: Readers
  readonly cache: Pick<ReadCache, 'get'>
  readonly catalogue: EventCatalogue
  readonly may: May
  readonly serviceDid: string
  readonly didOf: (profile: Pick<Profile, 'type' | 'username'>) => string
  /** The prefix of every type, such as `com.example.`, or an empty string. */
  readonly prefix: string
  /** Returns a page while it is public. Undefined when the module content is switched off. */
  readonly signalPage: ((pageId: number) => Promise<SignalPage | undefined>) | undefined
  /** Whether a post exists and is not hidden. Undefined when the module feed is switched off. */
  readonly isPostShown: ((postId: number) => Promise<boolean>) | undefined
}

/** Loads each value once, also while the cache is bypassed. */
function loadingOnce(cache: Pick<ReadCache, 'get'>): Pick<ReadCache, 'get'> {
  const loads = new Map<string, unknown>()
  return {
    get<Value>(key: string, load: () => Promise<CacheEntry<Value>>): Value | Promise<Value> {
      if (!loads.has(key)) loads.set(key, cache.get(key, load))
      // Each key stands for values of one type.
      return loads.get(key) as Value | Promise<Value>
    },
  }
}

/** Converts stored events to signals that may be sent now. Data is read once and cached until it changes. */
export function createSignalResolver(deps: ResolveDeps) {
  /**
   * Returns the signals of some events in their order, without events whose profile, page or post is no longer public
   * and without internal events. With a filter, only those that match; nothing is read for the others.
   */
  return async (events: readonly StoredEvent[], filter: SignalFilter = {}): Promise<readonly SignalEvent[]> => {
    const resolve = resolverOf({ ...deps, cache: loadingOnce(deps.cache) }, filter)
    return (await Promise.all(events.map(resolve))).filter((signal) => signal !== undefined)
  }
}

export type ResolveSignals = ReturnType<typeof createSignalResolver>

/** Returns a function that resolves one event of several. */
function resolverOf(deps: ResolveDeps, filter: SignalFilter) {
  const { read, cache, catalogue, may, serviceDid, didOf, prefix, signalPage, isPostShown } = deps

  const profileOf = (id: number) =>
    cache.get(`signals:profile:${id}`, async () => {
      const profile = await read.profiles.get(id)
      return { value: profile, profileId: profile?.id, accountId: profile?.ownerAccountId }
    })

  /** Whether an account is banned. Cached apart from profiles: most events change a profile and not its owner. */
  const isBanned = (accountId: string) =>
    cache.get(`signals:banned:${accountId}`, async () => {
      const account = await read.accounts.get(accountId)
      return { value: Boolean(account?.bannedAt), accountId }
    })

  /** A profile and whether its owner may use the service. */
  async function profileState(id: number) {
    const profile = await profileOf(id)
    return profile && { profile, isActive: profile.withdrawnAt === null && !(await isBanned(profile.ownerAccountId)) }
  }

  /** A profile that is visible in listings, as required for streams. */
  async function publicProfile(id: number): Promise<Profile | undefined> {
    const state = await profileState(id)
    return state?.isActive && isVisible(state.profile, 'lists') ? state.profile : undefined
  }

  /** Returns the members of a team with a permission, or all members without one. */
  const teamOf = (id: number, action: Action | undefined): Promise<Team | undefined> | Team | undefined =>
    cache.get(`signals:team:${id}:${action ?? ''}`, async () => {
      const profile = await read.profiles.get(id)
      if (!profile) return { value: undefined }
      const accountIds = await accountsOfTeam(read, profile, (role) => action === undefined || may(role, action))
      const appsOf = profile.apps === 'owner_only' ? profile.ownerAccountId : undefined
      return { value: { profileId: id, accountIds: new Set(accountIds), appsOf }, profileId: id }
    })

  /** A profile as the source of an event for an account; undefined when it is private to others, or deleted. */
  async function sourceFor(id: number, accountId: string): Promise<Profile | undefined> {
    const profile = await profileOf(id)
    if (!profile || isVisible(profile, 'address')) return profile
    return (await teamOf(id, undefined))?.accountIds.has(accountId) ? profile : undefined
  }

  async function teamsOf(ids: readonly number[], action: Action | undefined): Promise<Recipients | undefined> {
    const states = await Promise.all(
      ids.map(async (id) => ((await profileState(id))?.isActive ? teamOf(id, action) : undefined)),
    )
    const teams = states.filter((team) => team !== undefined)
    return teams.length > 0 ? { kind: 'teams', teams } : undefined
  }

  /** Returns the DIDs of other profiles by field. Undefined when one of them is not public. */
  async function didsOf(dids: Readonly<Record<string, number>>): Promise<JsonObject | undefined> {
    const found: Record<string, string> = {}
    for (const [member, id] of Object.entries(dids)) {
      const profile = await publicProfile(id)
      if (!profile) return undefined
      found[member] = didOf(profile)
    }
    return found
  }

  async function resolve(event: StoredEvent): Promise<SignalEvent | undefined> {
    const definition = catalogue.get(event.type)
    const signal = definition?.signals?.of(event)
    if (!definition || !signal || definition.audience === 'internal') return undefined
    const { profileId } = event
    if (!matches({ type: signal.type, profileId }, filter)) return undefined

    let address: ProfileAddress | undefined = signal.lastOf
    let recipients: Recipients | undefined
    const data: Record<string, JsonObject[string]> = { ...signal.data }
    let subject = signal.subject

    if (definition.audience === 'public') {
      if (!signal.lastOf && profileId !== null) {
        address = await publicProfile(profileId)
        if (!address) return undefined
      }
      recipients = { kind: 'everyone' }
    } else if (definition.audience === 'team') {
      recipients = await teamsOf([profileId ?? [], signal.parties ?? []].flat(), signal.permission)
      address = profileId === null ? undefined : (await profileState(profileId))?.profile
    } else {
      const accountId = signal.accountId ?? event.accountId
      if (accountId === null) return undefined
      const { webhookId } = signal
      recipients = webhookId === undefined ? { kind: 'account', accountId } : { kind: 'webhook', accountId, webhookId }
      const sourceId = signal.sourceProfileId ?? profileId
      address = sourceId === null ? undefined : await sourceFor(sourceId, accountId)
      const isDeleted = sourceId !== null && !address && !(await profileOf(sourceId))
      if (isDeleted || (webhookId !== undefined && sourceId !== null && !address)) return undefined
    }
    // An event for an account about a profile that is private now comes from the service, without the name of the profile.
    if (!recipients || (profileId !== null && !address && definition.audience !== 'account')) return undefined

    if (signal.pageId !== undefined) {
      const page = await signalPage?.(signal.pageId)
      if (!page) return undefined
      Object.assign(data, page)
      subject = page.path
    }
    if (signal.postId !== undefined && !(await isPostShown?.(signal.postId))) return undefined
    if (signal.dids) {
      const named = await didsOf(signal.dids)
      if (!named) return undefined
      Object.assign(data, named)
    }

    const profile = address as Pick<Profile, 'type' | 'username'> | undefined
    return toSignalEvent(event, signal.type, {
      source: profile ? didOf(profile) : serviceDid,
      subject: subject ?? (profile && profilePath(profile)),
      data,
      recipients,
    })
  }

  interface Resolved {
    readonly source: string
    readonly subject: string | undefined
    readonly data: JsonObject
    readonly recipients: Recipients
  }

  function toSignalEvent(
    event: StoredEvent,
    type: string,
    { source, subject, data, recipients }: Resolved,
  ): SignalEvent {
    const envelope = {
      specversion: '1.0',
      eep_version: '0.1',
      id: encodeEventId(event.cursor),
      source,
      type: `${prefix}${type}`,
      ...(subject === undefined ? {} : { subject: cutToCodePoints(subject, MAX_SUBJECT) }),
      time: event.at.toISOString(),
      datacontenttype: 'application/json',
      data: asJson(data),
    } as const
    return {
      cursor: event.cursor,
      type,
      profileId: event.profileId,
      envelope,
      json: JSON.stringify(envelope),
      recipients,
    }
  }

  return resolve
}
