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
 * A text goes with the last file that has its bytes, in the same transaction; of two files that go at once it may stay,
 * until `deleteUnused`.
 */
export interface FileTextStore extends FileTextReader {
  /**
   * Keeps a text in the place of what there was of these bytes. False when no file has them, or the one that does is just
   * being removed: whoever removes it is waited for.
   */
  keep(text: FileText): Promise<boolean>
  /** Removes at most `limit` texts of bytes that no file has, and says how many. */
  deleteUnused(limit: number): Promise<number>
}
