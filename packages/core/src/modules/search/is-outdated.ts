import type { SearchIndex } from '../../ports/search-index.ts'
import { compareCursors } from '../../ports/storage/events.ts'
import type { Readers } from '../../ports/storage/storage.ts'

/**
 * Whether an index lacks changes that the log no longer has: one that is new, is for another embedder, or was not followed
 * for longer than events are retained.
 */
export async function isOutdated(
  index: Pick<SearchIndex, 'position' | 'stats'>,
  embedderId: string | undefined,
  { eventRetention }: { readonly eventRetention?: Readers['eventRetention'] | undefined },
): Promise<boolean> {
  const position = await index.position()
  if (position === undefined || (await index.stats()).embedderId !== embedderId) return true
  return eventRetention !== undefined && compareCursors(position, await eventRetention.horizon()) < 0
}
