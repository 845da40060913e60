import type { FileReplacement, ReplaceOutcome } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { isText, isUuid } from '../rows.ts'
import { toFile } from './file-rows.ts'
import { storageBytes } from './storage-use.ts'

/** Locks a profile and its owner, so that the files of the account are counted one after another. False when it does not own it. */
export async function lockOwned(db: Db, profileId: number, ownerAccountId: string): Promise<boolean> {
  if (!isUuid(ownerAccountId)) return false
  // Lock the account before the profile, as deletion does.
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', ownerAccountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const profile =
    account &&
    (await db
      .selectFrom('profiles')
      .select('id')
      .where('id', '=', profileId)
      .where('owner_account_id', '=', ownerAccountId)
      .forKeyShare()
      .executeTakeFirst())
  return profile !== undefined
}

/** Makes an upload the content of a file. */
export async function replaceContent(
  db: Db,
  { profileId, fileId, ownerAccountId, maxBytes, replacedKey, replacedAt, file }: FileReplacement,
): Promise<ReplaceOutcome> {
  if (!(await lockOwned(db, profileId, ownerAccountId)) || !isText(file.key)) return { outcome: 'gone' }
  const before = await db
    .selectFrom('files')
    .select(['key', 'size', 'sha256'])
    .where('id', '=', fileId)
    .where('profile_id', '=', profileId)
    .where('state', '=', 'stored')
    .forUpdate()
    .executeTakeFirst()
  if (!before) return { outcome: 'gone' }
  if (replacedKey !== undefined && before.key !== replacedKey) return { outcome: 'changed' }
  const added = file.size - Number(before.size)
  const { bytes } = await db.selectNoFrom(storageBytes(db, ownerAccountId).as('bytes')).executeTakeFirstOrThrow()
  if (added > 0 && Number(bytes) + added > maxBytes) return { outcome: 'too_large' }

  const upload = await db
    .deleteFrom('files')
    .where('key', '=', file.key)
    .where('state', '=', 'pending')
    .returning('account_id')
    .executeTakeFirst()
  if (!upload) return { outcome: 'gone' }
  // A trigger drops the blob of the deleted row. The file takes it over, and its own is dropped.
  await db.deleteFrom('dropped_blobs').where('key', '=', file.key).execute()
  await db.insertInto('dropped_blobs').values({ key: before.key }).execute()
  const row = await db
    .updateTable('files')
    .set({
      key: file.key,
      account_id: upload.account_id,
      filename: file.filename,
      size: file.size,
      content_type: file.contentType,
      encoding: file.encoding ?? null,
      sha256: file.sha256,
      width: file.width ?? null,
      height: file.height ?? null,
      replaced_at: replacedAt,
    })
    .where('id', '=', fileId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (before.sha256 !== null && before.sha256 !== file.sha256) await deleteTexts(db, fileId, before.sha256)
  return { outcome: 'replaced', file: toFile(row) }
}

/** Deletes what was extracted from replaced content; a text only when no other file has the same bytes. */
async function deleteTexts(db: Db, fileId: number, sha256: string): Promise<void> {
  await db.deleteFrom('transcripts').where('file_id', '=', fileId).execute()
  await db
    .deleteFrom('file_texts')
    .where('sha256', '=', sha256)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('files').select('files.id').where('files.sha256', '=', sha256))),
    )
    .execute()
}
