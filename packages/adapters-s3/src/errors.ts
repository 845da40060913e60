import { S3ServiceException } from '@aws-sdk/client-s3'
import { isEepError, storageError } from '@eep/core/ports'

/** The blob or the upload is not there; that the bucket is not is another matter. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'

export const isUnsatisfiable = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416

/** Carries `work` out; what the SDK throws becomes `storage_error`. */
export async function orStorageError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (isEepError(cause) || (cause instanceof TypeError && !('$metadata' in cause))) throw cause
    throw storageError({ cause })
  }
}
