import { randomInt, randomUUID } from 'node:crypto'
import { hmac, sha256 } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Token } from '../../../ports/storage/tokens.ts'

const DIGITS = 6
const TRIES = 5

/** The result of a guess. */
export type CodeCheck = 'right' | 'wrong' | 'expired' | 'none'

/**
 * Six-digit codes that a person types. Because there are only a million of them, digests are keyed and bound to the
 * account, and only a few wrong guesses are allowed for each code.
 */
export function createDeleteCodes(keyring: Keyring) {
  const keys = keyring.shared('delete-code')
  const hashOf = (key: Uint8Array, accountId: string, code: string) => sha256(hmac(key, `${accountId}:${code}`))

  return {
    make(accountId: string, at: Date, seconds: number): { readonly code: string; readonly token: Token } {
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
      const token: Token = {
        id: randomUUID(),
        purpose: 'delete_account',
        hash: hashOf(keys[0].key, accountId, code),
        accountId,
        data: {},
        triesLeft: TRIES,
        createdAt: at,
        expiresAt: new Date(at.getTime() + seconds * 1000),
      }
      return { code, token }
    },

    /**
     * Consumes a code, or one of its attempts when the guess is wrong. Commit the transaction in both cases, so that
     * the attempt counts.
     */
    async use(tx: Stores, accountId: string, code: string, now: Date): Promise<CodeCheck> {
      const newest = await tx.tokens.getNewest('delete_account', accountId)
      if (!newest) return 'none'
      if (newest.expiresAt <= now) return 'expired'
      const hash = keys.map(({ key }) => hashOf(key, accountId, code))
      return (await tx.tokens.consume({ purpose: 'delete_account', hash, accountId })) ? 'right' : 'wrong'
    },
  }
}
