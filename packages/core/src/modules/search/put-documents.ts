import type { SearchDocument, SearchIndex } from '../../ports/search-index.ts'

/** The number of attempts to index a document, about a second apart. */
const MAX_ATTEMPTS = 5

export interface PutDocumentsDeps {
  readonly ping: SearchIndex['ping']
  readonly onError: (error: unknown) => void
}

/**
 * Returns a function that puts documents into an index, and one by one when the index refuses them together. A document that
 * fails five times while the index is available is reported and left out, so that it does not hold up the others.
 */
export function createPutDocuments({ ping, onError }: PutDocumentsDeps) {
  const attempts = new Map<string, number>()

  /** @throws the error while the document is to be tried again */
  async function fail({ key, revision }: SearchDocument, error: unknown): Promise<void> {
    await ping()
    const id = `${key} ${revision}`
    const count = (attempts.get(id) ?? 0) + 1
    attempts.set(id, count)
    if (count < MAX_ATTEMPTS) throw error
    attempts.delete(id)
    onError(new Error(`The search index refused the document ${key}, which is left out`, { cause: error }))
  }

  return async (documents: readonly SearchDocument[], put: SearchIndex['put']): Promise<void> => {
    try {
      await put(documents)
    } catch {
      let failed: { readonly error: unknown } | undefined
      for (const document of documents) {
        try {
          await put([document]).catch((error: unknown) => fail(document, error))
        } catch (error) {
          failed ??= { error }
        }
      }
      if (failed) throw failed.error
    }
  }
}
