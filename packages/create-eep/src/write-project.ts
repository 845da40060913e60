import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { InvalidInput } from './plan.ts'

/** A file of a project. */
export interface ProjectFile {
  /** Below the folder, with slashes. */
  readonly path: string
  readonly text: string | Uint8Array
  /** Only its owner may read it. Default: false. */
  readonly isSecret?: boolean
}

/**
 * Writes files that do not exist yet. Nothing is written when one of them exists.
 *
 * @throws InvalidInput that names the existing files
 */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const existing = files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)))
  if (existing.length > 0) {
    const verb = existing.length === 1 ? 'exists' : 'exist'
    throw new InvalidInput(`${existing.join(', ')} already ${verb} in ${folder}, and files are never overwritten`)
  }
  for (const { path, text, isSecret = false } of files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    // Another process may have written it meanwhile.
    await writeFile(target, text, { flag: 'wx', mode: isSecret ? 0o600 : 0o644 })
  }
}
