/** The unpublished changes of a published page. A page has at most one draft, which its team shares. */
export interface PageDraft {
  readonly pageId: number
  readonly title: string
  /** Markdown. */
  readonly body: string
  readonly excerpt: string | null
  /** An image of the profile; null for none. */
  readonly coverFileId: number | null
  /** The version of the page that the draft changes. */
  readonly baseVersion: number
  /** A UUID that each save replaces. */
  readonly revision: string
  readonly updatedAt: Date
  /** The account that saved it last; null when it was erased. */
  readonly updatedBy: string | null
}

/** A draft to store. */
export type NewPageDraft = PageDraft & { readonly updatedBy: string }

/** Drafts of published pages, for reading. */
export interface PageDraftReader {
  /** Returns the draft of a page; undefined when it has none. */
  get(pageId: number): Promise<PageDraft | undefined>
}

/** Drafts of published pages. A draft is deleted with its page. */
export interface PageDraftStore extends PageDraftReader {
  /**
   * Stores the draft of a page if the stored draft has the revision `replaces`, or if there is none and `replaces` is null. Returns false
   * otherwise, and when the page does not exist; then nothing changes. Of concurrent calls that replace the same revision exactly
   * one succeeds.
   */
  put(draft: NewPageDraft, replaces: string | null): Promise<boolean>
  /**
   * Deletes the draft of a page if it has this revision. Returns false otherwise. Of concurrent calls exactly one succeeds.
   */
  take(pageId: number, revision: string): Promise<boolean>
}
