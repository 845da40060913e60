import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Keyring } from '../../kernel/keyring.ts'
import type { IdempotencyKey } from '../../ports/storage/idempotency.ts'

/** An answer as it was given. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/**
 * Longer answers are not kept.
 * @internal
 */
export const MAX_ANSWER_BYTES = 65_536

const PURPOSE = 'idempotency'

/**
 * Writes an answer so that only the service reads it: it may show an API key that is shown once. `undefined` when it is
 * too long to be kept.
 */
export async function seal(
  { accountId, route, key }: IdempotencyKey,
  answer: KeptAnswer,
  keyring: Keyring,
): Promise<string | undefined> {
  if (Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES) return undefined
  const [{ kid, key: secret }] = keyring.shared(PURPOSE)
  const text = JSON.stringify({ of: [accountId, route, key], answer })
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(secret)
}

/** Reads what {@link seal} wrote for the same request; undefined when its key is no longer in the ring. */
export async function unseal(
  { accountId, route, key }: IdempotencyKey,
  sealed: string,
  keyring: Keyring,
): Promise<KeptAnswer | undefined> {
  const keys = keyring.shared(PURPOSE)
  try {
    const { plaintext } = await compactDecrypt(
      sealed,
      ({ kid }) => {
        const known = keys.find((each) => each.kid === kid)
        if (!known) throw new TypeError('this key is gone')
        return known.key
      },
      { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
    )
    const { of, answer } = JSON.parse(new TextDecoder().decode(plaintext))
    return JSON.stringify(of) === JSON.stringify([accountId, route, key]) ? answer : undefined
  } catch {
    return undefined
  }
}
