import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Unpacks packages of Debian into a directory, which is created completely or not at all. Throws on other systems. */
export async function unpackPackages(packages: readonly string[], directory: string): Promise<void> {
  const draft = `${directory}-${process.pid}`
  const cwd = join(draft, 'packages')
  await mkdir(cwd, { recursive: true })
  try {
    await run('apt-get', ['-qq', 'download', ...packages], { cwd, timeout: 60_000 })
    for (const name of await readdir(cwd)) await run('dpkg', ['-x', join(cwd, name), draft])
    await rm(cwd, { recursive: true })
    await rename(draft, directory).catch((error) => {
      // Another run was quicker.
      if (!existsSync(directory)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
