import { existsSync } from 'node:fs'
import { copyFile, mkdir, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InvalidInput } from './plan.ts'

/** A file of a project. */
export interface ProjectFile {
  /** Below the folder, with slashes. */
  readonly path: string
  readonly text: string
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
    const file = await open(target, 'wx', isSecret ? 0o600 : 0o644)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  }
}

/** Copies tarballs into `packages` of a project, and returns the version of each package for `package.json`, by name. */
export async function copyTarballs(
  folder: string,
  tarballs: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>()
  for (const [name, path] of tarballs) {
    await mkdir(join(folder, 'packages'), { recursive: true })
    await copyFile(path, join(folder, 'packages', basename(path)))
    versions.set(name, `file:packages/${basename(path)}`)
  }
  return versions
}
