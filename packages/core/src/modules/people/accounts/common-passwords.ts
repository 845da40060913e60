import { readFileSync } from 'node:fs'
import { lazy } from '../../../kernel/lazy.ts'

/** The build puts it beside the chunk that contains this module. */
const FILE = new URL('./common-passwords.txt', import.meta.url)

/**
 * The 3,000 most common passwords that some combination of upper and lower case makes valid under the other rules: at
 * least eight characters, two letters and a digit. Lower case, sorted. More common passwords that break those rules in
 * any case are left out. The file is read at the first call.
 */
export const commonPasswords: () => ReadonlySet<string> = lazy(() => {
  const text = readFileSync(FILE, 'utf8')
  return new Set(
    text
      .replace(/^#.*\n/, '')
      .trim()
      .split(/\s+/),
  )
})
