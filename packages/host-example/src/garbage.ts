import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage of this process and returns its memory to the system. It stops the process for 100 to 200 ms, so call it
 * before there are requests: V8 keeps memory that only the start needed, about 25 MB, until a process has been busy for
 * long.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void = runInNewContext('gc')
  // An ordinary collection keeps freed pages for another ten seconds.
  collect({ type: 'major', flavor: 'last-resort' })
}
