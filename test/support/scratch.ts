import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** A file system in memory that Linux has. Containers often make it too small for databases. */
const MEMORY = '/dev/shm'
/** What the databases of a whole run need, with room to spare: the write-ahead log alone may grow to 1 GiB. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * The directory for databases that need not outlive the machine: in memory where 4 GiB of it are free, else that of
 * temporary files. Each test file copies a database and drops it, which a disk makes wait.
 */
export async function scratchDirectory(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined)
  return found && found.bavail * found.bsize >= ENOUGH_BYTES ? MEMORY : tmpdir()
}
