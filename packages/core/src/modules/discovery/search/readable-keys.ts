import { createSemaphore } from '../../../kernel/semaphore.ts'
import { accountHolder, emailHolder } from '../../../kernel/wallet.ts'
import type { Caller } from '../../../model/caller.ts'
import { fieldResource } from '../../../model/profile-fields.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { NO_CREDENTIALS, type Paywall } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { isGated, isListGated, keysOf, resourceOf } from './search-documents.ts'

export interface ReadableKeysDeps {
  readonly read: Pick<Readers<'searchSources'>, 'searchSources'>
  readonly profiles: Pick<ProfileService, 'roleOf'>
  readonly paywall: Pick<Paywall, 'openTo'>
}

/** The maximum number of profiles whose gated texts are searched. */
const MAX_PROFILES = 1_000
/** The maximum number of gated pages, and of gated files, that are searched. */
const MAX_OF_KIND = 1_000
/** The number of pages, and of files, that are read in one round to find the gated ones. */
const BATCH = 1_000
/** Most searches need one round; more, when most of the newest pages or files of these profiles are open. */
const MAX_ROUNDS = 10
const KINDS = ['page', 'file'] as const
/** The maximum number of profiles whose gates are evaluated concurrently. */
const MAX_EVALUATED = 4

const FILE_LIST = fieldResource('files')

/**
 * Returns the keys of the gated texts that a caller may read, for a search in them: of the newest 1,000 gated pages and 1,000
 * gated files of the teams of the caller and of the profiles that it has an entitlement to, among the newest 10,000 of each.
 */
export function createReadableKeys({ read: { searchSources }, profiles, paywall }: ReadableKeysDeps) {
  const turns = createSemaphore(MAX_EVALUATED)

  async function profileIdsOf({ account: { id, email, emailOwned }, scopes }: Caller): Promise<readonly number[]> {
    const isReader = scopes === 'all' || scopes.includes('read:content')
    const holders = isReader ? [accountHolder(id), ...(emailOwned ? [emailHolder(email)] : [])] : []
    return searchSources.listReadable(id, holders, MAX_PROFILES)
  }

  /** Returns the newest gated pages and files of some profiles that are visible in lists. */
  async function gatedOf(profileIds: readonly number[]): Promise<readonly SearchSource[]> {
    const gated: Record<(typeof KINDS)[number], SearchSource[]> = { page: [], file: [] }
    const before = { page: Number.MAX_SAFE_INTEGER, file: Number.MAX_SAFE_INTEGER }
    const isIncomplete = () => before.page > 0 || before.file > 0
    for (let round = 0; round < MAX_ROUNDS && isIncomplete(); round += 1) {
      const ids = await searchSources.listGuarded(profileIds, { limit: BATCH, before })
      const listed = await searchSources.listListed(ids, 0)
      const known = new Map(listed.map((source) => [`${source.kind}:${source.id}`, source]))
      for (const kind of KINDS) {
        const sources = ids[kind].flatMap((id) => known.get(`${kind}:${id}`) ?? [])
        gated[kind].push(...sources.filter(isGated).slice(0, MAX_OF_KIND - gated[kind].length))
        const isComplete = ids[kind].length < BATCH || gated[kind].length === MAX_OF_KIND
        before[kind] = isComplete ? 0 : (ids[kind].at(-1) ?? 0)
      }
    }
    return [...gated.page, ...gated.file]
  }

  /** Returns which sources of one profile a caller may read. */
  async function readableOf(sources: readonly SearchSource[], caller: Caller): Promise<readonly SearchSource[]> {
    const [first] = sources
    if (!first || (await profiles.roleOf(first.profile, caller))) return sources
    const names = sources.flatMap((source) => resourceOf(source) ?? [])
    const visitor = { ...NO_CREDENTIALS, caller }
    const open = await paywall.openTo(first.profile, [FILE_LIST, ...names], visitor, { spends: false })
    // A file may be open itself. A caller who may not read the list must not learn of it here either.
    const isFound = ({ kind, gates }: SearchSource) => kind !== 'file' || !isListGated(gates) || open.has(FILE_LIST)
    return sources.filter((source) => open.has(resourceOf(source) ?? '') && isFound(source))
  }

  return async function readableKeys(caller: Caller): Promise<readonly string[]> {
    const profileIds = await profileIdsOf(caller)
    if (profileIds.length === 0) return []
    const byProfile = Map.groupBy(await gatedOf(profileIds), ({ profile }) => profile.id)
    const readable = await Promise.all(
      [...byProfile.values()].map((sources) => turns.run(undefined, () => readableOf(sources, caller))),
    )
    return readable.flat().map(({ kind, id }) => keysOf(kind, id)[1])
  }
}

export type ReadableKeys = ReturnType<typeof createReadableKeys>
