import { isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import type { ProfileName } from '../../../ports/storage/profiles.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type FilterIssue, MAX_PATTERNS, SERVICE_SOURCE, shorten, tooMany } from './filter.ts'

export interface SourceDeps {
  readonly profiles: Pick<ProfileService, 'find' | 'nameOf'>
  readonly serviceDid: string
}

const MAX_LENGTH = 512

/** Reads sources of events: DIDs, or `prefix/username`. */
export function createSources({ profiles, serviceDid }: SourceDeps) {
  function parseSource(source: string): ProfileName | undefined {
    if (source.startsWith('did:')) return profiles.nameOf(source)
    const [prefix = '', username = '', ...others] = source.replace(/^\//, '').split('/')
    if (others.length > 0 || !Object.hasOwn(TYPE_BY_PREFIX, prefix)) return undefined
    return { type: TYPE_BY_PREFIX[prefix as keyof typeof TYPE_BY_PREFIX], username }
  }

  async function idOf(source: string, caller: Caller | undefined): Promise<number | undefined> {
    if (source === serviceDid) return SERVICE_SOURCE
    const name = source.length > MAX_LENGTH ? undefined : parseSource(source)
    if (!name) return undefined
    try {
      return (await profiles.find(name.type, name.username, caller)).id
    } catch (error) {
      // A profile that the caller may not see is treated as unknown.
      if (isEepError(error) && error.status < 500) return undefined
      throw error
    }
  }

  /**
   * Returns the ids of the profiles of sources, and issues: too many sources, and those unknown to the caller.
   *
   * @param path - the place of the sources in the request, as a JSON Pointer
   */
  return async (sources: readonly string[] | undefined, path: string, caller: Caller | undefined) => {
    if (sources === undefined) return { profileIds: undefined, issues: [] }
    if (sources.length > MAX_PATTERNS) return { profileIds: undefined, issues: [tooMany(path, 'sources')] }
    const ids = await Promise.all(sources.map((source) => idOf(source, caller)))
    const issues = ids.flatMap((id, index): FilterIssue[] =>
      id === undefined
        ? [{ path, code: 'unknown_source', message: `Unknown event source: ${shorten(sources[index] ?? '')}` }]
        : [],
    )
    return { profileIds: new Set(ids.filter((id) => id !== undefined)), issues }
  }
}
