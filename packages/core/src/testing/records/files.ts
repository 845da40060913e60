import { randomUUID } from 'node:crypto'
import type { FileQuota, FilesToKeep, NewUpload, UploadedFile } from '../../ports/storage/files.ts'
import type { NewJob } from '../../ports/storage/jobs.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { freshHash, moment } from './fresh.ts'

/** A job of an account. */
export const newJob = (accountId: string, changes: Partial<NewJob> = {}): NewJob => {
  const { id = randomUUID(), kind = 'test', profileId = null, input = {}, origin = null, createdAt = moment } = changes
  return { id, kind, accountId, profileId, input, origin, createdAt }
}

/** An upload of an account. */
export const newUpload = (accountId: string, changes: Partial<NewUpload> = {}): NewUpload => ({
  key: randomUUID(),
  accountId,
  createdAt: moment,
  ...changes,
})

/** Seven received bytes of text. */
export const uploaded = ({ key }: NewUpload, changes: Partial<UploadedFile> = {}): UploadedFile => ({
  key,
  filename: 'notes.txt',
  size: 7,
  contentType: 'text/plain; charset=utf-8',
  sha256: freshHash(),
  ...changes,
})

/** Uploads as files of a profile. Default: with a quota that is never reached. */
export const keeping = (
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  files: readonly UploadedFile[],
  quota: Partial<FileQuota> = {},
): FilesToKeep => ({
  profileId: id,
  ownerAccountId,
  files,
  quota: { files: 1_000, bytes: 1_000_000, ...quota },
})
