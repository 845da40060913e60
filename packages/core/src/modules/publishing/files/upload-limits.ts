import type { EepError } from '../../../kernel/errors.ts'
import type { PlanLimits } from '../../../model/plan.ts'
import { batchTooLarge, fileTooLarge } from './errors.ts'

export const MEGABYTE = 1_048_576
/** The bytes that a form may have besides its files. */
const FORM_BYTES = MEGABYTE

/** How many megabytes a file of this type may have. */
export function maxMegabytesOf(contentType: string, { maxFileMb, limits }: PlanLimits): number {
  if (contentType.startsWith('video/')) return Math.max(maxFileMb, limits.maxVideoUploadMb)
  if (/^audio\/|^application\/ogg/.test(contentType)) return Math.max(maxFileMb, limits.maxAudioUploadMb)
  return maxFileMb
}

const tooLarge = (megabytes: number) =>
  fileTooLarge({
    message: `Your plan allows files of this type of up to ${megabytes} MB`,
    details: { max_mb: megabytes },
  })

/** Counts the bytes that one request sends. */
export function createUploadLimits(plan: PlanLimits) {
  const { maxFileMb, limits } = plan
  const largest = Math.max(maxFileMb, limits.maxVideoUploadMb, limits.maxAudioUploadMb)
  let total = 0

  return {
    maxFiles: limits.maxBatchFiles,
    /** Rejects requests whose announced length exceeds every limit, before the body is read. */
    refuseLength(length: number | undefined): EepError | undefined {
      const most = Math.max(largest, limits.maxBatchSizeMb) * MEGABYTE + FORM_BYTES
      return length !== undefined && length > most ? tooLarge(largest) : undefined
    },
    /** @param filesSoFar - with this one */
    refuse(size: number, added: number, maxMb: number, filesSoFar: number): EepError | undefined {
      total += added
      if (size > maxMb * MEGABYTE) return tooLarge(maxMb)
      if (filesSoFar > 1 && total > limits.maxBatchSizeMb * MEGABYTE) {
        return batchTooLarge({ details: { max_batch_size_mb: limits.maxBatchSizeMb } })
      }
      return undefined
    },
  }
}
