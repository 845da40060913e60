import type { SearchIndex } from '../../../ports/search-index.ts'
import { compareCursors } from '../../../ports/storage/events.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

/**
 * Whether an index must be rebuilt because the log cannot complete it: it is new, was built in another format or for another embedder, or
 * lacks changes that are older than the retention of events.
 */
export async function isOutdated(
  index: Pick<SearchIndex, 'position' | 'stats'>,
  embedderId: string | undefined,
  { eventRetention }: { readonly eventRetention?: Readers['eventRetention'] | undefined },
): Promise<boolean> {
  const position = await index.position()
  if (position === undefined) return true
  const stats = await index.stats()
  if (stats.isOutdated === true || stats.embedderId !== embedderId) return true
  return eventRetention !== undefined && compareCursors(position, await eventRetention.horizon()) < 0
}
