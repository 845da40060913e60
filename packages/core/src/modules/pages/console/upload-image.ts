import { Readable } from 'node:stream'
import type { ProfileVisit, SentFile } from '../../../framework/module/screen.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import type { FileService } from '../../publishing/files/index.ts'

/**
 * Stores a picture of a form as a file of the profile, and returns its id.
 *
 * @param input - the name of its input, which a refusal is about
 * @throws `validation_failed` without a file, and for a file that is not an image; `file_quota_reached`, and the errors of uploads
 */
export async function uploadImage(
  files: Pick<FileService, 'begin'>,
  { profile, caller }: Pick<ProfileVisit, 'profile' | 'caller'>,
  picture: SentFile | undefined,
  input: string,
): Promise<number> {
  const noPicture = () => validationFailed({ details: { in: 'body', issues: [{ path: `/${input}` }] } })
  if (!picture || !/\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(picture.filename)) throw noPicture()
  const uploading = files.begin(caller)
  try {
    await uploading.add(picture.filename, Readable.from([picture.bytes]), async () => {})
    const [file] = await uploading.finish(profile)
    if (!file?.contentType.startsWith('image/')) throw noPicture()
    return file.id
  } catch (error) {
    await uploading.discard()
    throw error
  }
}
