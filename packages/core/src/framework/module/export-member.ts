import type { Account } from '../../model/account.ts'
import type { Role } from '../../model/permission.ts'
import type { Profile } from '../../ports/storage/profiles.ts'

/** The profile to export, and the role of the requester. */
export interface ExportSubject {
  readonly profile: Profile
  /** The role of the account that requested the export: `owner` or `admin`. */
  readonly role: Role
  /** The account that requested the export. */
  readonly accountId: string
  readonly signal: AbortSignal
  /** How long the paths of members may be, so that Windows can unpack them. */
  readonly maxPathLength: number
}

/** One member of the archive of a profile. */
export interface ExportMember {
  /** The path in the archive, without a leading slash. */
  readonly path: string
  /** `json` and `text` are UTF-8. Exports in the format `json` leave out `bytes`. */
  readonly kind: 'json' | 'text' | 'bytes'
  /** Default: the time of the export. */
  readonly modifiedAt?: Date | undefined
  /** Returns the bytes in parts, read as the archive is written. */
  open(): AsyncIterable<string | Uint8Array>
}

/**
 * Returns what a module adds to the archive of a profile. Members are written as they come, so that an archive is never in
 * memory.
 */
export type ProfileExporter = (subject: ExportSubject) => AsyncIterable<ExportMember>

/** The account to export. */
export interface AccountSubject {
  readonly account: Account
  readonly signal: AbortSignal
}

/** Returns what a module adds to the archive of an account, besides the archives of the profiles that it owns. */
export type AccountExporter = (subject: AccountSubject) => AsyncIterable<ExportMember>

/** A member of text. */
export const textMember = (path: string, text: string, modifiedAt?: Date | undefined): ExportMember => ({
  path,
  kind: 'text',
  modifiedAt,
  async *open() {
    yield text
  },
})

/** A member of bytes. */
export const bytesMember = (path: string, bytes: Uint8Array, modifiedAt?: Date | undefined): ExportMember => ({
  path,
  kind: 'bytes',
  modifiedAt,
  async *open() {
    yield bytes
  },
})

/** A member with one JSON value. */
export const jsonMember = (path: string, value: unknown, modifiedAt?: Date | undefined): ExportMember => ({
  path,
  kind: 'json',
  modifiedAt,
  async *open() {
    yield `${JSON.stringify(value, null, 2)}\n`
  },
})

/** A member with a JSON array, whose items are read as it is written. */
export const jsonListMember = (path: string, items: () => AsyncIterable<unknown>): ExportMember => ({
  path,
  kind: 'json',
  async *open() {
    let separator = '[\n'
    for await (const item of items()) {
      yield `${separator}${JSON.stringify(item)}`
      separator = ',\n'
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n'
  },
})
