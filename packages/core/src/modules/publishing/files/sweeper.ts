import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { keyOfFile } from '../../../model/image-widths.ts'
import type { BlobStore } from '../../../ports/blob-store.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { removeBlobs } from './upload.ts'

export interface FileSweeperDeps extends GuardedStorage<'files'> {
  readonly clock: Clock
  readonly blobs: BlobStore
  readonly onError: (error: unknown) => void
  readonly everyMs: number
}

/** Longer than any upload, so unfinished uploads of this age are from a crash. */
const GRACE_MS = 24 * HOUR_MS
/** How often the whole blob store is scanned. */
const LIST_EVERY_MS = 24 * HOUR_MS
const AT_ONCE = 100
const FIRST_TURN_MS = 15_000
const JITTER = 0.25

/**
 * Removes blobs of deleted files, unfinished uploads after a crash, and unknown blobs. Due work is stored, and repeating it changes nothing, so every instance may run it.
 */
export function createFileSweeper({ read, write, clock, blobs, onError, everyMs }: FileSweeperDeps) {
  let listedAt = 0

  async function removeDropped(signal?: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      const keys = await read.files.listDropped(AT_ONCE)
      await removeBlobs(keys, { blobs, write })
      removed += keys.length
      if (keys.length < AT_ONCE || signal?.aborted) return removed
    }
  }

  async function removeUnknown(before: Date, signal?: AbortSignal): Promise<number> {
    let removed = 0
    let cursor: string | undefined
    do {
      const page = await blobs.list({ limit: AT_ONCE, cursor })
      const old = page.blobs.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => key)
      // Rows are written before their blobs, so a blob without a row will never get one.
      const known = new Set(old.length > 0 ? await read.files.listKnownKeys([...new Set(old.map(keyOfFile))]) : [])
      for (const key of old) {
        if (known.has(keyOfFile(key))) continue
        await blobs.delete(key)
        removed += 1
      }
      cursor = page.nextCursor
    } while (cursor !== undefined && !signal?.aborted)
    return removed
  }

  async function run(signal?: AbortSignal) {
    const now = clock().getTime()
    const before = new Date(now - GRACE_MS)
    const discard = () => write((tx) => tx.files.discardOldUploads(before, AT_ONCE))
    const unfinished = await inBatches(discard, signal, AT_ONCE)
    const dropped = await removeDropped(signal)
    let unknown = 0
    if (now - listedAt >= LIST_EVERY_MS) {
      await blobs.sweep(before)
      unknown = await removeUnknown(before, signal)
      await inBatches(() => write(async (tx) => (await tx.fileTexts?.deleteUnused(AT_ONCE)) ?? 0), signal, AT_ONCE)
      listedAt = now
    }
    return { unfinished, dropped, unknown }
  }

  const turns = timed(run, { everyMs, firstMs: Math.min(everyMs, FIRST_TURN_MS), jitter: JITTER, onError })
  return {
    ...turns,
    purge: run,
    /** Runs one round immediately and returns the counts. */
    run,
  }
}
