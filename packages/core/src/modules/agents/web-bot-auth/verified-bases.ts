import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'

/** The base of a signature, the signature, and the signer whose key it is. */
export interface VerifiableBase {
  readonly base: Uint8Array
  readonly signature: Uint8Array
  readonly signer: string
  /** In seconds. The result is kept until then. */
  readonly expires: number
}

const MAX_ENTRIES = 10_000

/** Caches which signatures were valid, until they expire. Others are verified again. */
export function createVerifiedBases(clock: Clock) {
  const known = new Map<string, number>()
  return {
    /** @param verify - called unless the same signature was valid before */
    check({ base, signature, signer, expires }: VerifiableBase, verify: () => boolean): boolean {
      const hash = createHash('sha256').update(signer).update('\n').update(base).update('\n').update(signature)
      const key = hash.digest('base64url')
      const until = known.get(key)
      if (until !== undefined && until * 1_000 > clock().getTime()) return true
      if (!verify()) return false
      if (known.size >= MAX_ENTRIES) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      known.set(key, expires)
      return true
    },
  }
}
