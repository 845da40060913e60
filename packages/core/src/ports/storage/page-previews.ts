/** A link to a page that is a draft, or to the draft of a published page. Anyone who has it can read the draft. */
export interface PagePreviewLink {
  readonly id: number
  readonly pageId: number
  /** The account that made it. */
  readonly createdBy: string
  /** The account that owned the profile when it was made. */
  readonly ownerAccountId: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A link to store. */
export interface NewPagePreviewLink extends Omit<PagePreviewLink, 'id'> {
  /** The SHA-256 hash of its token, hexadecimal. */
  readonly hash: string
}

/** Preview links, for reading. Those that have expired by the clock of the storage are not found. */
export interface PagePreviewLinkReader {
  /** The links of a page, the newest first. */
  list(pageId: number): Promise<readonly PagePreviewLink[]>
  /** The link whose token has this hash. */
  find(hash: string): Promise<PagePreviewLink | undefined>
}

/**
 * Preview links. They are deleted with their page, with the account that made them and with the owner, and when `profiles.save` gives the
 * profile another owner.
 */
export interface PagePreviewLinkStore extends PagePreviewLinkReader {
  /**
   * Stores a link. Returns undefined when the page does not exist, and `full` when it has `limit` links that have not expired; of
   * concurrent calls never more are stored.
   */
  insert(link: NewPagePreviewLink, limit: number): Promise<PagePreviewLink | 'full' | undefined>
  /** Deletes a link of a page. Returns false when there is none. */
  delete(pageId: number, id: number): Promise<boolean>
  /** Deletes the links of a page. */
  deleteOfPage(pageId: number): Promise<void>
  /** Deletes the links that an account made. */
  deleteOfAccount(accountId: string): Promise<void>
}
