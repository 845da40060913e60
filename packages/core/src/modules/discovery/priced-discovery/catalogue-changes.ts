import type { StoredEvent } from '../../../ports/storage/events.ts'

/** What events change in the catalogue. */
export interface CatalogueChanges {
  /** Pages and files, by id, with the profile of each. */
  readonly pages: ReadonlyMap<number, number>
  readonly files: ReadonlyMap<number, number>
  /** Profiles to list as a whole. */
  readonly profiles: ReadonlySet<number>
  /** Accounts whose profiles are to be listed as a whole. */
  readonly accounts: ReadonlySet<string>
  /** Profiles that lists hold or not, depending on whether they have contents. */
  readonly filled: ReadonlySet<number>
}

const OF_PAGE = new Set(['content.page_saved', 'content.page_deleted', 'content.page_hidden', 'content.page_revealed'])

const OF_FILE = new Set(['files.file_stored', 'files.file_updated', 'files.file_deleted', 'files.text_extracted'])

/** After these events, other resources of a profile may be for sale, at other addresses or for other receivers. */
const OF_PROFILE = new Set([
  // A profile that was imported has contents and a gate.
  'profiles.profile_created',
  'profiles.profile_deleted',
  'profiles.profile_withdrawn',
  'profiles.profile_restored',
  'profiles.did_changed',
  'gates.config_changed',
  'teams.profile_transferred',
])

const OF_ACCOUNT = new Set([
  'wallets.payout_changed',
  'accounts.email_verified',
  'accounts.email_changed',
  'accounts.account_taken_over',
  'accounts.account_banned',
  'accounts.account_unbanned',
  'accounts.deletion_scheduled',
  'accounts.deletion_cancelled',
])

/** After these events, a profile may have its first contents or none. */
const OF_CONTENTS = new Set([...OF_PAGE, 'feed.post_published', 'feed.post_removed'])

/**
 * The types of the events that can change the catalogue. A test compares them with those of the modules.
 *
 * @internal
 */
export const CATALOGUE_EVENTS: readonly string[] = [
  ...OF_PAGE,
  ...OF_FILE,
  ...OF_PROFILE,
  ...OF_ACCOUNT,
  ...OF_CONTENTS,
  'profiles.profile_updated',
  'content.category_saved',
  'content.category_deleted',
]

function changesProfile({ type, data }: StoredEvent): boolean {
  if (OF_PROFILE.has(type)) return true
  // Gates name pages by their paths.
  if (type === 'content.category_saved') return data.isMoved === true
  if (type === 'content.category_deleted') return true
  const isBio = Array.isArray(data.fields) && data.fields.includes('bio')
  return type === 'profiles.profile_updated' && (data.visibility !== undefined || isBio)
}

/** Returns what events change. */
export function changesBy(events: readonly StoredEvent[]): CatalogueChanges {
  const [pages, files] = [new Map<number, number>(), new Map<number, number>()]
  const [profiles, filled, accounts] = [new Set<number>(), new Set<number>(), new Set<string>()]
  const addSource = (to: Map<number, number>, id: unknown, profileId: number) => {
    if (Number.isSafeInteger(id)) to.set(Number(id), profileId)
  }
  for (const event of events) {
    const { type, profileId, accountId, data } = event
    if (OF_ACCOUNT.has(type)) {
      const { accountId: about = accountId } = data as { readonly accountId?: string | null }
      if (typeof about === 'string') accounts.add(about)
    }
    if (profileId === null) continue
    if (OF_PAGE.has(type)) addSource(pages, data.pageId, profileId)
    if (OF_FILE.has(type)) addSource(files, data.fileId, profileId)
    if (OF_CONTENTS.has(type)) filled.add(profileId)
    if (changesProfile(event)) profiles.add(profileId)
  }
  return { pages, files, profiles, accounts, filled }
}
