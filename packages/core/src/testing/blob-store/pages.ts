import type { BlobMetadata, BlobStore } from '../../ports/blob-store.ts'

/** Reads all pages. `between` is called after each. */
export async function walk(
  store: BlobStore,
  limit: number,
  between: (blobs: readonly BlobMetadata[]) => Promise<void> = async () => {},
): Promise<BlobMetadata[]> {
  const found: BlobMetadata[] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ limit, cursor })
    if (page.blobs.length > limit) throw new Error(`A page of ${limit} has ${page.blobs.length}`)
    found.push(...page.blobs)
    await between(page.blobs)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

export const keysIn = async (store: BlobStore): Promise<string[]> => (await walk(store, 1000)).map(({ key }) => key)
