import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** Options of {@link ArchiveWriter.add}. */
export interface ArchiveMemberOptions {
  readonly modifiedAt: Date
  /** False for bytes that are compressed already. */
  readonly compress: boolean
}

/** Writes one archive as a stream. */
export interface ArchiveWriter {
  /** The bytes of the archive. Read it while members are added, because writing waits for its reader. */
  readonly output: Readable
  /** Adds a member, and resolves when its bytes were read. Members are added one after another. */
  add(path: string, bytes: Readable, options: ArchiveMemberOptions): Promise<void>
  /** Ends the archive. `output` ends after it. */
  finish(): void
}

/** A member of an archive, as its directory announces it. Nothing of it is verified. */
export interface ArchiveEntry {
  readonly path: string
  /** In bytes, when it is decompressed. */
  readonly size: number
  readonly compressedSize: number
  /** False for folders, symbolic links, encrypted members and unknown methods of compression. */
  readonly isPlainFile: boolean
  /** Returns the decompressed bytes. The stream fails unless there are exactly `size` of them. */
  open(): Promise<Readable>
}

/** The bytes of an archive that is read. */
export interface ArchiveSource {
  readonly size: number
  /** Returns the bytes from `start` (inclusive) to `end` (exclusive) as a stream. */
  read(start: number, end: number): Promise<Readable>
}

/**
 * A format of archives with several members. The entry of the feature `archives` brings it.
 */
export interface ArchiveFormat {
  /** `application/zip`. */
  readonly contentType: string
  /** Without a dot: `zip`. */
  readonly extension: string
  /** Begins an archive. */
  write(): ArchiveWriter
  /**
   * Reads the directory of an archive, one entry at a time.
   *
   * @throws `invalid_archive` when the bytes are not an archive of this format
   */
  entries(source: ArchiveSource): AsyncIterable<ArchiveEntry>
}

/** Creates the error for bytes that are not an archive, or a damaged one: 400 `invalid_archive`. */
export const invalidArchive = defineError('invalid_archive', 400, 'The archive cannot be read')
