import type { StoredFile } from './files.ts'

/** The text extracted from the bytes of files, or why there is none. */
export interface FileText {
  /** Of the bytes, hexadecimal. */
  readonly sha256: string
  /** The version of the converter that read them. */
  readonly converter: string
  readonly outcome: FileTextOutcome
  readonly createdAt: Date
}

/** The text of a file as Markdown, or why the converter rejected the file. */
export type FileTextOutcome =
  | { readonly markdown: string; readonly warnings: readonly string[] }
  | { readonly refusal: { readonly reason: string; readonly message: string } }

/** Texts of files, for reading. */
export interface FileTextReader {
  /** The text of these bytes, if this version of a converter stored it last. */
  get(sha256: string, converter: string): Promise<FileText | undefined>
}

/**
 * Texts of files. Files with the same bytes share one text.
 *
 * A text is deleted with the last file that has its bytes, in the same transaction. When two files are deleted
 * concurrently, it may remain until `deleteUnused`.
 */
export interface FileTextStore extends FileTextReader {
  /**
   * Stores a text, replacing an earlier one of these bytes, and returns the files that have them. Stores nothing when no file
   * has them. Waits for a concurrent deletion of the last file that has them.
   */
  keep(text: FileText): Promise<readonly Pick<StoredFile, 'id' | 'profileId'>[]>
  /** Deletes at most `limit` texts of bytes that no file has, and returns how many. */
  deleteUnused(limit: number): Promise<number>
}
