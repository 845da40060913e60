import type { StoredFile } from '@eep/core/ports'
import type { Row } from '../database.ts'
import { toDate, toDateOrNull } from '../rows.ts'

/** Converts the row of a stored file, of which only the uploader may be missing. */
export const toFile = (row: Row<'files'>): StoredFile => ({
  id: Number(row.id),
  profileId: Number(row.profile_id),
  accountId: row.account_id,
  filename: row.filename ?? '',
  key: row.key,
  size: Number(row.size),
  contentType: row.content_type ?? '',
  encoding: row.encoding,
  sha256: row.sha256 ?? '',
  width: row.width,
  height: row.height,
  alt: row.alt,
  createdAt: toDate(row.created_at),
  replacedAt: toDateOrNull(row.replaced_at),
})
