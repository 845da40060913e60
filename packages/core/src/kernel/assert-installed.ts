import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/**
 * Checks, without loading them, that optional packages are installed, so that a missing one fails at startup and not at
 * first use.
 *
 * @throws Error that names the package
 */
export function assertInstalled(...packages: readonly string[]): void {
  for (const each of packages) resolve(each)
}
