import type { Readable } from 'node:stream'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Emit } from '../../runtime/events/define-event.ts'

/** An archive whose manifest was verified. */
export interface ImportSource {
  /** The public URL of the service that wrote it. */
  readonly issuer: string
  /** Whether this service or a trusted one signed it. Others may have written anything. */
  readonly isTrusted: boolean
  /** The account that imports it. */
  readonly accountId: string
  /** The paths of its members, in their order. */
  readonly paths: readonly string[]
  /**
   * Returns the value of a JSON member that `reads` chose; undefined when there is none.
   *
   * @throws `invalid_archive` when it is not JSON
   */
  json(path: string): Promise<unknown>
  /** Opens a member. The stream fails with `archive_tampered` when its bytes do not match the manifest. */
  open(path: string): Promise<Readable>
}

/** Where an archive is imported. */
export interface ImportTarget {
  readonly profile: Profile
  readonly accountId: string
  readonly at: Date
  /** The new ids of files by their ids in the archive. */
  readonly fileIds: Map<number, number>
  /** Replaces addresses of the exported profile and its files in a text by the new ones. */
  rewrite(text: string): string
}

/** A record of a member that is not imported, for the report. */
export interface SkippedItem {
  /** The path of the member. */
  readonly member: string
  /** The record in it: a DID or an id. */
  readonly item: string
  /** In snake_case, such as `profile_not_found`. */
  readonly reason: string
}

/** Something that the owner should know about a record that is imported. */
export interface ImportWarning {
  /** In snake_case, such as `price_not_payable`. */
  readonly code: string
  /** The path of the member. */
  readonly member: string
  /** The record in it: a DID, an id or a name. */
  readonly item: string
}

/** How many rows one transaction of an import stores at most: others wait for it, also the readers of the event log. */
export const MAX_IMPORT_ROWS = 200

/** Stores some records of an import in a transaction. */
export type ImportStep = (tx: Stores, emit: Emit) => Promise<void>

/** Divides records into those of one transaction. */
export function* importBatches<Item>(
  items: readonly Item[],
  size: number = MAX_IMPORT_ROWS,
): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

/** What one module imports. */
export interface ImportPart {
  /** The number of records by kind, for the report. */
  readonly counts: Readonly<Record<string, number>>
  /** Records that are not imported. Default: none. */
  readonly skipped?: readonly SkippedItem[] | undefined
  /** Warnings about records that are imported. Default: none. */
  readonly warnings?: readonly ImportWarning[] | undefined
  /** Whether other parts refer to what this one stores, so that it runs first. Default: false. */
  readonly isFirst?: boolean | undefined
  /** Runs before anything is stored, for work outside the storage and for checks that need it. */
  prepare?(signal: AbortSignal): Promise<void>
  /**
   * Yields the steps that store the records. Each runs in its own transaction, again when that conflicts with others, so it stores
   * at most {@link MAX_IMPORT_ROWS} rows, and what must be read or parsed happens before it is yielded. No reader sees the profile
   * until all steps of all parts have ended; when one fails, everything is deleted.
   */
  store(target: ImportTarget): Iterable<ImportStep> | AsyncIterable<ImportStep>
  /** Undoes `prepare` when the import fails. */
  discard?(): Promise<void>
}

/** Imports what a module adds to the archive of a profile. */
export interface ProfileImporter {
  /** Whether the module reads a member with `json`. */
  reads(path: string): boolean
  /**
   * Whether a member that is too large to be read is left out and reported, instead of failing the import. `json` returns
   * undefined for it. Default: no.
   */
  isOptional?(path: string): boolean
  /**
   * Checks the members of this module, before anything is stored.
   *
   * @throws `invalid_archive` that names the member
   */
  check(source: ImportSource): Promise<ImportPart>
}
