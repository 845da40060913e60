import { createSemaphore } from '../../kernel/semaphore.ts'
import { accountHolder, emailHolder } from '../../kernel/wallet.ts'
import type { Caller } from '../../model/caller.ts'
import { fieldResource } from '../../model/profile-fields.ts'
import type { SearchSource } from '../../ports/storage/search.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { NO_CREDENTIALS, type Paywall } from '../paywall/index.ts'
import type { ProfileService } from '../profiles/index.ts'
import { isGated, isListGated, keysOf, resourceOf } from './search-documents.ts'

export interface ReadableKeysDeps {
  readonly read: Pick<Readers<'searchSources'>, 'searchSources'>
  readonly profiles: Pick<ProfileService, 'roleOf'>
  readonly paywall: Pick<Paywall, 'openTo'>
}

/** The maximum number of profiles whose gated texts are searched. */
const MAX_PROFILES = 1_000
/** The maximum number of pages, and of files, that are searched. */
const MAX_OF_KIND = 1_000
/** The maximum number of profiles whose gates are evaluated concurrently. */
const MAX_EVALUATED = 4

const FILE_LIST = fieldResource('files')

/**
 * Returns the keys of the gated texts that a caller may read, for a search in them: of the newest 1,000 pages and 1,000 files of
 * the teams of the caller and of the profiles that it has an entitlement to.
 */
export function createReadableKeys({ read: { searchSources }, profiles, paywall }: ReadableKeysDeps) {
  const turns = createSemaphore(MAX_EVALUATED)

  async function profileIdsOf({ account: { id, email, emailVerified }, scopes }: Caller): Promise<readonly number[]> {
    const isReader = scopes === 'all' || scopes.includes('read:content')
    const holders = isReader ? [accountHolder(id), ...(emailVerified ? [emailHolder(email)] : [])] : []
    return searchSources.listReadable(id, holders, MAX_PROFILES)
  }

  /** Returns which sources of one profile a caller may read. */
  async function readableOf(sources: readonly SearchSource[], caller: Caller): Promise<readonly SearchSource[]> {
    const [first] = sources
    if (!first || (await profiles.roleOf(first.profile, caller))) return sources
    const names = sources.flatMap((source) => resourceOf(source) ?? [])
    const visitor = { ...NO_CREDENTIALS, caller }
    const open = await paywall.openTo(first.profile, [FILE_LIST, ...names], visitor, { spends: false })
    // Each file may be open while the list is gated: without the list nobody learns of it.
    const isFound = ({ kind, gates }: SearchSource) => kind !== 'file' || !isListGated(gates) || open.has(FILE_LIST)
    return sources.filter((source) => open.has(resourceOf(source) ?? '') && isFound(source))
  }

  return async function readableKeys(caller: Caller): Promise<readonly string[]> {
    const profileIds = await profileIdsOf(caller)
    if (profileIds.length === 0) return []
    const guarded = await searchSources.listGuarded(profileIds, MAX_OF_KIND)
    const gated = (await searchSources.listListed(guarded, 0)).filter(isGated)
    const byProfile = Map.groupBy(gated, ({ profile }) => profile.id)
    const readable = await Promise.all(
      [...byProfile.values()].map((sources) => turns.run(undefined, () => readableOf(sources, caller))),
    )
    return readable.flat().map(({ kind, id }) => keysOf(kind, id)[1])
  }
}

export type ReadableKeys = ReturnType<typeof createReadableKeys>
