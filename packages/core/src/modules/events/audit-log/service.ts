import { setImmediate } from 'node:timers/promises'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { AuditChain, AuditLogEntry, AuditLogQuery } from '../../../ports/storage/audit-log.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { type MyProfiles, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { type ChainFault, faultOf } from './chain.ts'

export interface AuditLogDeps extends Pick<GuardedStorage<'auditLog'>, 'read'> {
  readonly keyring: Pick<Keyring, 'isOwnSignature'>
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'didOf'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
}

/** Entries, and the DID of the profile when they all are in the log of one. */
export interface AuditLogPage extends Page<AuditLogEntry> {
  readonly publisherDid?: string | undefined
}

/** The result of verifying a log, or a part of it. */
export interface Verification {
  readonly publisherDid: string
  readonly checked: number
  readonly first: AuditLogEntry | undefined
  readonly last: AuditLogEntry | undefined
  /** The first place that does not verify. `entryId` is null when the entry is missing. */
  readonly broken?:
    | { readonly position: number; readonly entryId: string | null; readonly reason: ChainFault }
    | undefined
  /** Where to continue, when the log has more entries than one call verifies. */
  readonly next?: number | undefined
}

/** The maximum number of entries that one call verifies. */
const MAX_VERIFIED = 1_000
/** Checking signatures blocks the event loop, so verification pauses after this many entries. */
const ENTRIES_AT_ONCE = 100
/** How often verification starts again because old entries were deleted meanwhile. */
const RESTARTS = 3

export function createAuditLogService({ read, keyring, profiles, myProfiles }: AuditLogDeps) {
  /** The profile whose log a caller may read; undefined for the logs of all profiles. */
  async function publisherOf(profileId: number | undefined, caller: Caller): Promise<Profile | undefined> {
    if (caller.isAdmin) {
      if (profileId === undefined) return undefined
      const profile = await read.profiles.get(profileId)
      if (!profile) throw profileNotFound()
      return profile
    }
    const profile = await myProfiles.acting(profileId ?? caller.profileId, caller)
    await profiles.requirePermission(profile, caller, 'audit.read')
    return profile
  }

  /** Verifies entries from a position to the end that the log had when the call began. */
  async function check(profile: Profile, chain: AuditChain, from: number): Promise<Verification> {
    const start = Math.max(from, chain.firstPosition)
    const [before] = start === chain.firstPosition ? [] : await listChain(profile, start - 2, 1)
    let end = { position: start - 1, hash: start === chain.firstPosition ? chain.baseHash : (before?.hash ?? '') }
    const until = Math.min(chain.position, start + MAX_VERIFIED - 1)
    const publisherDid = profiles.didOf(profile)
    const result = {
      publisherDid,
      checked: 0,
      first: undefined as AuditLogEntry | undefined,
      last: undefined as AuditLogEntry | undefined,
    }
    while (end.position < until) {
      const entries = await listChain(profile, end.position, Math.min(ENTRIES_AT_ONCE, until - end.position))
      for (const entry of entries) {
        const reason = faultOf(end, entry, keyring)
        const isMissing = reason === 'missing_entry'
        if (reason) {
          const broken = { position: end.position + 1, entryId: isMissing ? null : entry.entryId, reason }
          return { ...result, broken }
        }
        end = entry
        result.first ??= entry
        result.last = entry
        result.checked += 1
      }
      if (entries.length === 0) {
        return { ...result, broken: { position: end.position + 1, entryId: null, reason: 'missing_entry' } }
      }
      await setImmediate()
    }
    if (until < chain.position) return { ...result, next: until + 1 }
    const isEnd = end.hash === chain.hash || result.checked === 0
    if (isEnd) return result
    const entryId = result.last?.entryId ?? null
    return { ...result, broken: { position: end.position, entryId, reason: 'hash_mismatch' } }
  }

  const listChain = ({ id }: Profile, after: number, limit: number) => read.auditLog.listChain(id, { after, limit })

  return {
    /**
     * Returns entries of the log of a profile to its owner. Administrators may read every log, and get the entries of all
     * logs when they name no profile. Default: the acting profile.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `invalid_cursor`
     */
    async list(
      query: AuditLogQuery,
      page: PageRequest & { readonly offset?: number | undefined },
      caller: Caller,
    ): Promise<AuditLogPage> {
      const publisher = await publisherOf(query.profileId, caller)
      const listed = await read.auditLog.list({ ...query, profileId: publisher?.id }, page)
      return { ...listed, publisherDid: publisher && profiles.didOf(publisher) }
    },

    /**
     * Verifies the log of a profile: that no entry was changed, removed, added or reordered. At most {@link MAX_VERIFIED}
     * entries, from a position on. Default: the acting profile, from the oldest entry on.
     *
     * @throws `profile_not_found`, `not_profile_owner`
     */
    async verify(
      { profileId, from = 1 }: { readonly profileId?: number | undefined; readonly from?: number | undefined },
      caller: Caller,
    ): Promise<Verification> {
      const profile = (await publisherOf(profileId, caller)) ?? (await myProfiles.acting(undefined, caller))
      for (let restarts = 0; ; restarts++) {
        const chain = await read.auditLog.getChain(profile.id)
        if (!chain) return { publisherDid: profiles.didOf(profile), checked: 0, first: undefined, last: undefined }
        const verified = await check(profile, chain, from)
        if (!verified.broken || restarts === RESTARTS) return verified
        const now = await read.auditLog.getChain(profile.id)
        if (now?.firstPosition === chain.firstPosition) return verified
      }
    },
  }
}

/** The audit logs of profiles. */
export type AuditLogService = ReturnType<typeof createAuditLogService>
