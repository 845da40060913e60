import { isEepError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { storageError } from '../../../ports/blob-store.ts'
import type { DocumentText } from '../../../ports/document-converter.ts'
import type { JobKind } from '../../../ports/job-kind.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import { type FileService, fileNotFound } from '../files/index.ts'
import { type Conversion, conversionInput } from './schemas.ts'

export interface ConversionDeps {
  readonly files: Pick<FileService, 'findStored'>
  readonly publicUrl: string
  textOf(
    found: { readonly file: StoredFile; readonly profile: { readonly ownerAccountId: string } },
    signal: AbortSignal,
  ): Promise<DocumentText>
}

export const CONVERSION = 'conversion'

const TIMEOUT_MS = 10 * 60_000
const ATTEMPTS = 2
const BEGUN = 10

/** The URL of the text of a file in a format. It has the gate of the file. */
const textUrl = (publicUrl: string, fileId: number, to: Conversion): string =>
  `${publicUrl}/files/${fileId}/markdown${to === 'markdown' ? '' : `?to=${to}`}`

/** The conversion job: its result is the URL of the text, which is stored with the file. */
export const conversionKind = ({ files, publicUrl, textOf }: ConversionDeps): JobKind => ({
  name: CONVERSION,
  timeoutMs: TIMEOUT_MS,
  attempts: ATTEMPTS,

  async run({ job, signal, progress }): Promise<JsonObject> {
    const { file_id: fileId, to } = conversionInput.parse(job.input)
    const found = await files.findStored(fileId)
    if (!found) throw fileNotFound()
    await progress(BEGUN)
    const { markdown, warnings } = await textOf(found, signal).catch((error: unknown) => {
      // An unavailable blob store is temporary, so the job is retried.
      if (isEepError(error) && error.code === storageError.code) throw new Error(error.message, { cause: error })
      throw error
    })
    return {
      file_id: fileId,
      to,
      url: textUrl(publicUrl, fileId, to),
      size: Buffer.byteLength(markdown),
      warnings: [...warnings],
    }
  },
})
