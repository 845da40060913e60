import { Readable } from 'node:stream'
import type { ProfileVisit, SentFile } from '../../../../framework/module/screen.ts'
import { validationFailed } from '../../../../kernel/errors.ts'
import type { StoredFile } from '../../../../ports/storage/files.ts'
import type { FileService } from '../service.ts'
import type { Upload } from '../upload.ts'

/** The name of the input with the file. */
export const FILE_INPUT = 'file'

async function take(
  sent: SentFile | undefined,
  upload: Upload,
  finish: () => Promise<StoredFile | undefined>,
): Promise<StoredFile> {
  const missing = () => validationFailed({ details: { in: 'body', issues: [{ path: `/${FILE_INPUT}` }] } })
  if (!sent) throw missing()
  try {
    await upload.add(sent.filename, Readable.from([sent.bytes]), async () => {})
    const stored = await finish()
    if (!stored) throw missing()
    return stored
  } catch (error) {
    await upload.discard()
    throw error
  }
}

/**
 * Stores the file of a form as a file of the profile.
 *
 * @throws `validation_failed` without a file, and the errors of uploads
 */
export function storeSent(files: Pick<FileService, 'begin'>, { profile, caller, files: sent }: ProfileVisit) {
  const upload = files.begin(caller)
  return take(sent[FILE_INPUT], upload, async () => (await upload.finish(profile))[0])
}

/**
 * Replaces the content of a file by the file of a form.
 *
 * @param etag - that of the content to replace
 * @throws `validation_failed` without a file, `file_changed`, `file_kind_differs`, and the errors of uploads
 */
export async function replaceBySent(
  files: Pick<FileService, 'beginReplacement'>,
  { caller, files: sent }: ProfileVisit,
  id: number,
  etag: string,
) {
  const { upload, replaced } = await files.beginReplacement(id, caller, etag)
  return take(sent[FILE_INPUT], upload, () => upload.replace(replaced))
}
