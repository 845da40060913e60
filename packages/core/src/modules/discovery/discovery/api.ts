import type { ListedKind } from '../../../ports/storage/discovery.ts'
import type { AssistantAddresses } from './assistants.ts'
import type { DiscoveryDocument } from './capabilities.ts'

export interface DiscoverySiteIndexApi {
  /**
   * Returns the sitemap of all public addresses as XML, or an index of sitemaps when there are too many for one. It is at
   * most a minute old; hidden pages leave it immediately.
   */
  sitemap(documents: readonly DiscoveryDocument[]): Buffer<ArrayBufferLike> | Promise<Buffer<ArrayBufferLike>>
  /**
   * Returns one sitemap of the index as XML.
   *
   * @throws `not_found` when the part is empty
   */
  sitemapPart(kind: ListedKind, part: number): Buffer<ArrayBufferLike> | Promise<Buffer<ArrayBufferLike>>
  /**
   * Returns one part of `llms.txt`: the public profiles and pages, as Markdown.
   *
   * @param cursor - From the link to the next part. Default: the first part.
   * @param assistants - Where assistants connect. Default: nowhere.
   * @throws `invalid_cursor`
   */
  llms(
    cursor: string | undefined,
    documents: readonly DiscoveryDocument[],
    assistants?: AssistantAddresses,
  ): Buffer<ArrayBufferLike> | Promise<Buffer<ArrayBufferLike>>
  /**
   * Returns one part of `llms-full.txt`: the public pages with their text.
   *
   * @param cursor - From the link to the next part. Default: the first part.
   * @throws `invalid_cursor`
   */
  llmsFull(cursor: string | undefined): Buffer<ArrayBufferLike> | Promise<Buffer<ArrayBufferLike>>
}

/** The methods of `app.eep.discovery`. */
export interface DiscoveryApi {
  readonly siteIndex: DiscoverySiteIndexApi
}
