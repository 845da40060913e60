import { readdir, readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

const THREADS = '/proc/self/task'

/**
 * Lowers the priority of the threads of libuv's pool, so that the event loop runs first when all cores are busy. Does
 * nothing on systems other than Linux, or when the threads have no names (before Node 22.12).
 *
 * @param niceness - 1 to 19; a process without privileges cannot lower it again
 */
export async function lowerPoolPriority(niceness: number): Promise<void> {
  if (process.platform !== 'linux') return
  // The pool reads the directory, so its threads exist by then.
  const ids = await readdir(THREADS).catch(() => [])
  for (const id of ids) {
    try {
      const name = await readFile(`${THREADS}/${id}/comm`, 'utf8')
      if (name.startsWith('libuv-worker')) setPriority(Number(id), Math.min(niceness, constants.priority.PRIORITY_LOW))
    } catch {
      // The thread ended in between, or the system does not allow it: passwords are hashed with the usual priority.
    }
  }
}
