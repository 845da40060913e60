import { open } from 'node:fs/promises'

/**
 * Writes a directory to disk, and with it the names of its files: a renamed file then keeps its new name after a power failure.
 * Windows cannot open directories, and writes names without this.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
