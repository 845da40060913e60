import type { SearchDocument, SearchIndex } from '../../../ports/search-index.ts'

/** The number of attempts to index a document, about a second apart. */
const MAX_ATTEMPTS = 5
/** The maximum number of documents whose attempts are counted: one that is deleted is not tried again. */
const MAX_FAILED = 10_000

/** The key of a document, with its partition. */
const describeDocument = ({ partition, key }: SearchDocument) =>
  partition === undefined ? key : `${key} of ${partition}`

export interface IndexDocumentsDeps {
  readonly ping: SearchIndex['ping']
  readonly onError: (error: unknown) => void
}

/**
 * Returns a function that puts documents into an index, and one by one when the index refuses them together. A document that
 * fails five times while the index is available is reported and left out, so that it does not hold up the others.
 */
export function createIndexDocuments({ ping, onError }: IndexDocumentsDeps) {
  /** The failed attempts of documents since they were changed or stored. */
  const attempts = new Map<string, { readonly revision: string; readonly count: number }>()

  /** @throws the error while the document is to be tried again */
  async function fail(document: SearchDocument, error: unknown): Promise<void> {
    await ping()
    const { revision } = document
    const key = describeDocument(document)
    const attempt = attempts.get(key)
    const count = (attempt?.revision === revision ? attempt.count : 0) + 1
    attempts.delete(key)
    const [oldest] = attempts.size < MAX_FAILED ? [] : attempts.keys()
    if (oldest !== undefined) attempts.delete(oldest)
    attempts.set(key, { revision, count })
    if (count < MAX_ATTEMPTS) throw error
    attempts.delete(key)
    onError(new Error(`The search index refused the document ${key}, which is left out`, { cause: error }))
  }

  async function store(documents: readonly SearchDocument[], put: SearchIndex['put']): Promise<void> {
    await put(documents)
    for (const document of documents) attempts.delete(describeDocument(document))
  }

  return async (documents: readonly SearchDocument[], put: SearchIndex['put']): Promise<void> => {
    if (documents.length === 0) return
    try {
      await store(documents, put)
    } catch {
      let failed: { readonly error: unknown } | undefined
      for (const document of documents) {
        try {
          await store([document], put).catch((error: unknown) => fail(document, error))
        } catch (error) {
          failed ??= { error }
        }
      }
      if (failed) throw failed.error
    }
  }
}

export type IndexDocuments = ReturnType<typeof createIndexDocuments>
