import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/**
 * Checks that packages are installed which the host installs itself, without loading them. So a host that lacks one fails at
 * its start, and not with the first use.
 *
 * @throws Error that names the package
 */
export function assertInstalled(...packages: readonly string[]): void {
  for (const each of packages) resolve(each)
}
