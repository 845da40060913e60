import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Optional packages that a host has not installed. Its message has the command that installs them. */
export class MissingPackagesError extends Error {
  override readonly name = 'MissingPackagesError'
  /** The command that installs them. */
  readonly command: string

  constructor(packages: readonly string[], cause: unknown) {
    const command = `npm install ${packages.join(' ')}`
    super(`Packages are missing. Install them with: ${command}`, { cause })
    this.command = command
  }
}

/**
 * Checks, without loading them, that optional packages are installed, so that a missing one fails at startup and not at
 * first use.
 *
 * @throws MissingPackagesError that names all of them that are missing
 */
export function assertInstalled(...packages: readonly string[]): void {
  let cause: unknown
  const isResolved = (path: string): boolean => {
    try {
      require.resolve(path)
      return true
    } catch (error) {
      cause = error
      return false
    }
  }
  // A package of fonts has a manifest and no code.
  const missing = packages.filter((name) => !isResolved(name) && !isResolved(`${name}/package.json`))
  if (missing.length > 0) throw new MissingPackagesError(missing, cause)
}

/**
 * Loads an optional package when it is needed, so that importing the file that needs it never fails.
 *
 * @throws Error when the package is not installed
 */
export const loadInstalled = <Exports>(name: string): Exports => require(name) as Exports
