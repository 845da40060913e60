import { createRepresentationCache, type RepresentationCache } from '../../http/documents/representation-cache.ts'
import { createMarkdownRenderer, type MarkdownRenderer } from '../../http/html/render-markdown.ts'
import { createReadCache, type LogSight, type ReadCache } from '../../runtime/storage/read-cache.ts'

/** The number of cached lists of all public content. A sitemap may have some megabytes. */
const MAX_LISTS = 24

/** The caches of a service. What modules keep with an object that is cached here goes with it. */
export interface Caches {
  /** Values of public reads. */
  readonly documents: ReadCache
  /** Lists of all public content. They are large, so few are cached. */
  readonly lists: ReadCache
  /** Complete responses to anonymous requests. They share their bytes with the representations. */
  readonly responses: ReadCache
  /** Bytes of documents in each format, for all who may read them. */
  readonly representations: RepresentationCache
  /** Markdown as HTML. */
  readonly texts: MarkdownRenderer
  /** Empties all of them. */
  clear(): void
}

/** Creates the caches of a service. `sight` decides whether what depends on the event log can be trusted. */
export function createCaches(maxEntries: number, sight: LogSight): Caches {
  const documents = createReadCache(maxEntries, sight)
  const lists = createReadCache(Math.min(maxEntries, MAX_LISTS), sight)
  const responses = createReadCache(maxEntries, sight)
  const representations = createRepresentationCache()
  const texts = createMarkdownRenderer()
  return {
    documents,
    lists,
    responses,
    representations,
    texts,
    clear() {
      for (const cache of [documents, lists, responses, representations, texts]) cache.clear()
    },
  }
}
