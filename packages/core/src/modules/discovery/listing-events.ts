import type { EepEvent } from '../../events/catalog.ts'
import type { StoredEvent } from '../../events/store.ts'

/** Events after which a list may lack something, and shows nothing that it must not. */
const ADDS: readonly string[] = ['profiles.profile_created', 'profiles.profile_restored'] satisfies EepEvent['type'][]

/**
 * Whether, after an event, lists that were made before it may show what must not be seen any more: a profile or page that
 * is gone, hidden or moved, or text that is gated now. Of an event it does not know it says yes.
 */
export function mayHide({ type, profileId, data }: Pick<StoredEvent, 'type' | 'profileId' | 'data'>): boolean {
  if (profileId === null || ADDS.includes(type)) return false
  if (type === 'content.page_saved') return data.previousStatus === 'published'
  return true
}
