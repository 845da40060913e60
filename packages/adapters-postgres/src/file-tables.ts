import type { BigintId, BigintOrNull } from './columns.ts'

export interface FileTable {
  id: BigintId
  key: string
  state: 'pending' | 'stored'
  account_id: string | null
  profile_id: BigintOrNull
  filename: string | null
  size: BigintOrNull
  content_type: string | null
  encoding: string | null
  sha256: string | null
  width: number | null
  height: number | null
  alt: string | null
  created_at: Date
  replaced_at: Date | null
}

/** Maintained by a trigger: the blob keys of deleted files. */
export interface DroppedBlobTable {
  id: BigintId
  key: string
}

export interface FileTextTable {
  sha256: string
  converter: string
  markdown: string | null
  warnings: readonly string[]
  refusal: { readonly reason: string; readonly message: string } | null
  created_at: Date
}
