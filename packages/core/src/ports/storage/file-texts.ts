/** What came of the bytes of files: their text, or why there is none. */
export interface FileText {
  /** Of the bytes, hexadecimal. */
  readonly sha256: string
  /** The version of the converter that read them. */
  readonly converter: string
  readonly outcome: FileTextOutcome
  readonly createdAt: Date
}

/** The text of a file as Markdown, or why a converter refused the file. */
export type FileTextOutcome =
  | { readonly markdown: string; readonly warnings: readonly string[] }
  | { readonly refusal: { readonly reason: string; readonly message: string } }

/** Texts of files, for reading. */
export interface FileTextReader {
  /** What this version of a converter made of these bytes, if that is what was kept last. */
  get(sha256: string, converter: string): Promise<FileText | undefined>
}

/**
 * Texts of files, one of the same bytes however many files have them.
 *
 * A text goes with the last file that has its bytes, in the same transaction; when two files are deleted concurrently it may stay,
 * until `deleteUnused`.
 */
export interface FileTextStore extends FileTextReader {
  /**
   * Stores a text in place of an earlier one of these bytes. False when no file has them, or when the last one is
   * being deleted concurrently: the call waits for that.
   */
  keep(text: FileText): Promise<boolean>
  /** Removes at most `limit` texts of bytes that no file has, and says how many. */
  deleteUnused(limit: number): Promise<number>
}
