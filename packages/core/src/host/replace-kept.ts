import { open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncDirectory } from '../kernel/sync-directory.ts'
import { CommandError } from './commands/command.ts'
import { type KeptFile, readKept } from './secrets.ts'

/** A file of the data directory before and after a change. */
export interface Replaced<Value> {
  readonly before: readonly Value[]
  readonly after: readonly Value[]
}

/**
 * Replaces the values of a file of the data directory atomically: a crash leaves the former file or the new one. Its name with
 * `.new` is the lock, so that two changes at the same time do not lose a value.
 *
 * @param change - gets the values and when a value was added last
 * @param keepsTime - whether the file keeps its modification time, the time at which a value was last added
 * @throws CommandError when there is no file, or another change is under way or was interrupted
 */
export async function replaceKept<Value>(
  dataDir: string,
  kept: KeptFile<Value>,
  change: (values: readonly Value[], addedAt: Date) => readonly Value[],
  keepsTime: boolean,
): Promise<Replaced<Value>> {
  const path = join(dataDir, kept.name)
  const draft = `${path}.new`
  if (!(await readKept(dataDir, kept))) {
    throw new CommandError(`${path} does not exist; the host generates it at its first start`)
  }
  const file = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw new CommandError(`${draft} cannot be written: ${error.code}`)
    throw new CommandError(
      `${draft} exists: a rotation is running, or one was interrupted; remove it if none is running`,
    )
  })
  try {
    // Read again: another rotation may have ended before this one had the lock.
    const before = (await readKept(dataDir, kept)) ?? []
    const { atime, mtime } = await stat(path)
    const after = change(before, mtime)
    await file.writeFile(`${kept.format(after)}\n`)
    await file.sync()
    if (keepsTime) await utimes(draft, atime, mtime)
    await rename(draft, path)
    await syncDirectory(dirname(path))
    return { before, after }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
