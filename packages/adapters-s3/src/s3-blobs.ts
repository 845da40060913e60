import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import {
  assertBlobKey,
  assertBlobRange,
  type BlobMetadata,
  type BlobRange,
  type BlobStore,
  bytesOf,
  isBlobKey,
  storageError,
} from '@eep/core/ports'
import { clientOf, type S3Access } from './client.ts'
import { isMissing, isUnsatisfiable, orStorageError } from './errors.ts'
import { uploadTo } from './upload.ts'

/** Options of {@link s3Blobs}. */
export interface S3BlobsOptions extends S3Access {
  /** Must exist. */
  readonly bucket: string
  /** The prefix of all object names, such as `files/`. Default: none. */
  readonly prefix?: string | undefined
}

/**
 * Stores each blob as an object of a bucket, on AWS or any S3-compatible store. Sends no request before the first use.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/blob-store.md
 * @example
 * const blobStore = s3Blobs({ bucket: 'uploads', region: 'eu-central-1' })
 * await app.register(eep, { ...options, modules: [files({ blobStore })] })
 */
export function s3Blobs({ bucket: Bucket, prefix = '', ...access }: S3BlobsOptions): BlobStore {
  const client = access.client ?? clientOf(access)
  const objectOf = (key: string) => {
    assertBlobKey(key)
    return { Bucket, Key: prefix + key }
  }
  const put = uploadTo(client, objectOf)

  const head = async (key: string): Promise<BlobMetadata | undefined> => {
    try {
      const found = await client.send(new HeadObjectCommand(objectOf(key)))
      return metadataOf(key, found.ContentLength, found.LastModified)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const get = async (key: string, range: BlobRange | undefined) => {
    if (range) assertBlobRange(range)
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`
    try {
      const { Body, ContentRange, ContentLength } = await client.send(
        new GetObjectCommand({ ...objectOf(key), ...(Range && { Range }) }),
      )
      const body = Body as Readable
      try {
        const size = Number(range && ContentRange ? /\/(\d+)$/.exec(ContentRange)?.[1] : ContentLength)
        const { start, length } = bytesOf(range, size)
        // A store without support for ranges sends the whole object.
        if (ContentLength !== length)
          throw storageError({ message: 'The bucket returned a different range than requested' })
        return { size, start, length, body }
      } catch (error) {
        body.destroy()
        throw error
      }
    } catch (error) {
      if (isMissing(error)) return undefined
      if (!range || !isUnsatisfiable(error)) throw error
      const found = await head(key)
      if (found) bytesOf(range, found.size)
      throw error
    }
  }

  const list = async (limit: number, cursor: string | undefined) => {
    const { Contents = [], IsTruncated } = await client.send(
      // Continues by name and not by a token of the store, so that a listing survives deletions and restarts.
      new ListObjectsV2Command({
        Bucket,
        Prefix: prefix,
        MaxKeys: limit,
        ...(cursor !== undefined && { StartAfter: prefix + cursor }),
      }),
    )
    const objects = Contents.map(({ Key = '', ...properties }) => ({ ...properties, name: Key.slice(prefix.length) }))
    const blobs = objects
      .filter(({ name }) => isBlobKey(name))
      .map(({ name, Size, LastModified }) => metadataOf(name, Size, LastModified))
    const last = objects.at(-1)?.name
    return IsTruncated && last !== undefined ? { blobs, nextCursor: last } : { blobs }
  }

  const sweep = async (before: Date) => {
    let swept = 0
    for (let marks = {}; ; ) {
      // Not by prefix, because MinIO treats it as the full name of an object.
      const page = await client.send(new ListMultipartUploadsCommand({ Bucket, ...marks }))
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
        const isOurs = Key.startsWith(prefix) && isBlobKey(Key.slice(prefix.length))
        if (!isOurs || !Initiated || Initiated >= before) continue
        try {
          await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
          swept++
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }
      if (!page.IsTruncated) return swept
      marks = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
    }
  }

  return {
    put,
    get: (key, range) => orStorageError(() => get(key, range)),
    head: (key) => orStorageError(() => head(key)),

    delete: (key) =>
      orStorageError(async () => {
        try {
          await client.send(new DeleteObjectCommand(objectOf(key)))
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }),

    list: ({ limit, cursor }) => orStorageError(() => list(limit, cursor)),
    sweep: (before) => orStorageError(() => sweep(before)),
    ping: () => orStorageError(async () => void (await client.send(new HeadBucketCommand({ Bucket })))),

    close: async () => {
      if (!access.client) client.destroy()
    },
  }
}

function metadataOf(key: string, size: number | undefined, modifiedAt: Date | undefined): BlobMetadata {
  if (size === undefined || modifiedAt === undefined) {
    throw storageError({ message: 'The bucket returned no size or modification time for a file' })
  }
  return { key, size, modifiedAt }
}
