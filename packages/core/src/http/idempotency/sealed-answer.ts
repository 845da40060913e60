import type { Keyring } from '../../kernel/keyring.ts'
import { sealText, unsealText } from '../../kernel/sealed-text.ts'
import type { IdempotencyKey } from '../../ports/storage/idempotency.ts'

/** A stored response. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/**
 * Longer responses are not stored.
 * @internal
 */
export const MAX_ANSWER_BYTES = 65_536

const PURPOSE = 'idempotency'

const nameOf = ({ accountId, route, key }: IdempotencyKey) => JSON.stringify([accountId, route, key])

/**
 * Encrypts a response, because it may contain an API key that is shown only once. Undefined when it is too long to be
 * stored.
 */
export async function seal(name: IdempotencyKey, answer: KeptAnswer, keyring: Keyring): Promise<string | undefined> {
  if (Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES) return undefined
  return sealText({ purpose: PURPOSE, of: nameOf(name), text: JSON.stringify(answer) }, keyring)
}

/** Decrypts the result of {@link seal} for the same request; undefined when its key is no longer in the keyring. */
export async function unseal(name: IdempotencyKey, sealed: string, keyring: Keyring): Promise<KeptAnswer | undefined> {
  const text = await unsealText({ purpose: PURPOSE, of: nameOf(name), sealed }, keyring)
  return text === undefined ? undefined : JSON.parse(text)
}
