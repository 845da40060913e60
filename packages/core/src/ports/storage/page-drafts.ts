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

/** When a page that is a draft, or the draft of a published page, is published. A page has at most one. */
export interface ScheduledPublication {
  readonly pageId: number
  readonly publishAt: Date
  /** The account that scheduled it; null when it was erased. */
  readonly scheduledBy: string | null
}

/** Scheduled publications, for reading. */
export interface ScheduledPublicationReader {
  /** The scheduled publications of those of some pages that have one, in any order. */
  list(pageIds: readonly number[]): Promise<readonly ScheduledPublication[]>
  /** Publications that are due by the clock of the storage, by page: at most `limit` of pages with a greater id than `afterPageId`. */
  listDue(afterPageId: number, limit: number): Promise<readonly ScheduledPublication[]>
}

/** Scheduled publications. They are deleted with their page. */
export interface ScheduledPublicationStore extends ScheduledPublicationReader {
  /** Schedules the publication of a page, in place of an earlier one. Returns false when the page does not exist. */
  put(publication: ScheduledPublication & { readonly scheduledBy: string }): Promise<boolean>
  /** Cancels the publication of a page. Returns false when there is none. */
  delete(pageId: number): Promise<boolean>
  /** Cancels the publications that an account scheduled. */
  deleteOfAccount(accountId: string): Promise<void>
  /**
   * Deletes the publication of a page if it is due by the clock of the storage, and returns it; undefined otherwise. Of concurrent calls
   * exactly one gets it, unless its transaction is rolled back. A concurrent call that postpones it comes before or after as a whole.
   */
  takeDue(pageId: number): Promise<ScheduledPublication | undefined>
}
