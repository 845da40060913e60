import { randomUUID } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sha256 } from '../kernel/digest.ts'
import { isEepError } from '../kernel/errors.ts'
import { syncDirectory } from '../kernel/sync-directory.ts'
import { type BlobIntake, takeInBlob } from '../ports/blob-intake.ts'
import {
  assertBlobKey,
  type BlobMetadata,
  type BlobStore,
  bytesOf,
  isBlobKey,
  storageError,
} from '../ports/blob-store.ts'

/** Options of {@link directoryBlobs}. */
export interface DirectoryBlobsOptions {
  /** Created if it does not exist. Processes may share it; on a network disk only if rename is atomic. */
  readonly directory: string
}

const SHARD = /^[0-9a-f]{2}$/
const UNFINISHED = 'unfinished'
const DAY = 86_400_000

/**
 * Stores each blob in a separate file that only its owner can read. A put writes to a file in `unfinished`, which is
 * renamed once it is completely on disk. Files that a crash left there are removed a day later.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/blob-store.md
 * @example
 * const blobStore = directoryBlobs({ directory: '.data/files' })
 * await app.register(eep, { ...options, modules: [files({ blobStore })] })
 */
export function directoryBlobs({ directory }: DirectoryBlobsOptions): BlobStore {
  const unfinished = join(directory, UNFINISHED)
  // Spread over 256 directories, because some disks are slow with many files in one.
  const shardOf = (key: string) => sha256(key).slice(0, 2)
  const pathOf = (key: string) => join(directory, shardOf(key), key)
  let prepared: Promise<unknown> | undefined

  const prepare = async () => {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    await sweep(new Date(Date.now() - DAY))
  }

  const put: BlobStore['put'] = async (key, body, options) => {
    assertBlobKey(key)
    const intake = takeInBlob(body, options)
    const path = join(unfinished, `${key}.${randomUUID()}`)
    try {
      prepared ??= prepare()
      await prepared
      await write(path, intake)
      const shard = join(directory, shardOf(key))
      if (await mkdir(shard, { recursive: true, mode: 0o700 })) await syncDirectory(directory)
      await rename(path, pathOf(key))
      await syncDirectory(shard)
      return { size: intake.size() }
    } catch (cause) {
      intake.stop()
      await rm(path, { force: true }).catch(() => {})
      const failure = intake.failure()
      if (failure !== undefined) throw failure
      prepared = undefined
      throw storageError({ cause })
    }
  }

  const sweep = async (before: Date) => {
    let swept = 0
    for (const name of await namesIn(unfinished)) {
      const path = join(unfinished, name)
      const stats = await unlessMissing(stat(path))
      if (!stats || stats.mtime >= before) continue
      await rm(path, { force: true })
      swept++
    }
    return swept
  }

  const metadataOf = async (key: string): Promise<BlobMetadata | undefined> => {
    const stats = await unlessMissing(stat(pathOf(key)))
    return stats && { key, size: stats.size, modifiedAt: stats.mtime }
  }

  return {
    put,

    get: async (key, range) => {
      assertBlobKey(key)
      return orStorageError(async () => {
        const file = await unlessMissing(open(pathOf(key), 'r'))
        if (!file) return undefined
        try {
          const { size } = await file.stat()
          const { start, length } = bytesOf(range, size)
          const body = file.createReadStream({ start, ...(length && { end: start + length - 1 }) })
          return { size, start, length, body }
        } catch (error) {
          await file.close()
          throw error
        }
      })
    },

    head: async (key) => {
      assertBlobKey(key)
      return orStorageError(() => metadataOf(key))
    },

    delete: async (key) => {
      assertBlobKey(key)
      return orStorageError(() => rm(pathOf(key), { force: true }))
    },

    list: ({ limit, cursor }) =>
      orStorageError(async () => {
        const blobs: BlobMetadata[] = []
        const first = cursor === undefined ? '' : shardOf(cursor)
        const shards = (await namesIn(directory)).filter((name) => SHARD.test(name) && name >= first)
        for (const shard of shards.sort()) {
          const keys = (await namesIn(join(directory, shard))).filter(isBlobKey)
          for (const key of keys.sort()) {
            if (cursor !== undefined && shard === first && key <= cursor) continue
            const metadata = await metadataOf(key)
            if (metadata) blobs.push(metadata)
            if (blobs.length === limit) return { blobs, nextCursor: key }
          }
        }
        return { blobs }
      }),

    sweep: (before) => orStorageError(() => sweep(before)),

    ping: () =>
      orStorageError(async () => {
        await mkdir(unfinished, { recursive: true, mode: 0o700 })
        await access(unfinished, constants.R_OK | constants.W_OK)
      }),
  }
}

async function write(path: string, intake: BlobIntake): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  // A failed write is an error of the store: it must not be reported as a body that ended early.
  file.once('error', () => intake.stop())
  await pipeline(intake.bytes, file)
}

const namesIn = async (path: string): Promise<string[]> => (await unlessMissing(readdir(path))) ?? []

const unlessMissing = <Found>(found: Promise<Found>): Promise<Found | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

const orStorageError = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    if (isEepError(cause) || cause instanceof TypeError) throw cause
    throw storageError({ cause })
  }
}
