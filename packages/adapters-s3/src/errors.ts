import { S3ServiceException } from '@aws-sdk/client-s3'
import { isEepError, storageError } from '@eep/core/ports'

/** Whether the blob or the upload does not exist. A missing bucket is a different error. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'

export const isUnsatisfiable = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416

/** Runs `work`, and converts errors of the SDK to `storage_error`. */
export async function orStorageError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (isEepError(cause) || (cause instanceof TypeError && !('$metadata' in cause))) throw cause
    throw storageError({ cause })
  }
}
