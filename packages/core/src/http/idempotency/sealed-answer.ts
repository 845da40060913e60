import type { Keyring } from '../../kernel/keyring.ts'
import { sealText, unsealText } from '../../kernel/sealed-text.ts'
import type { IdempotencyKey } from '../../ports/storage/idempotency.ts'

/** A stored response. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/** What remains of a response without its body. */
export interface AnswerFacts {
  readonly status: number
  /** The `Location` header. */
  readonly location?: string | undefined
  /** The id of what the request created. */
  readonly id?: string | number | undefined
}

/**
 * Longer responses are not stored.
 * @internal
 */
export const MAX_ANSWER_BYTES = 65_536

const PURPOSE = 'idempotency'
const FACTS_PURPOSE = 'idempotency-facts'
/** Longer values are left out, because facts are stored whatever the account has stored. */
const MAX_FACT_CHARACTERS = 1_000

const sealedName = ({ accountId, route, key }: IdempotencyKey) => JSON.stringify([accountId, route, key])

/**
 * Encrypts a response, because it may contain an API key that is shown only once. Undefined when it is too long to be
 * stored.
 */
export async function seal(name: IdempotencyKey, answer: KeptAnswer, keyring: Keyring): Promise<string | undefined> {
  if (Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES) return undefined
  return sealText({ purpose: PURPOSE, of: sealedName(name), text: JSON.stringify(answer) }, keyring)
}

/** The facts of a response. The id is that of its JSON object. */
export function factsOf({ status, headers, body }: KeptAnswer): AnswerFacts {
  const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_FACT_CHARACTERS
  const { location } = headers
  const isJson = String(headers['content-type']).startsWith('application/json')
  const id = isJson && body !== '' ? idOf(JSON.parse(body)) : undefined
  return {
    status,
    ...(isShort(location) ? { location } : {}),
    ...(isShort(id) || typeof id === 'number' ? { id } : {}),
  }
}

/** The id of an object, or that of the receipt for payments. */
function idOf(made: unknown): unknown {
  if (typeof made !== 'object' || made === null) return undefined
  const { id, receipt_id } = made as { readonly id?: unknown; readonly receipt_id?: unknown }
  return id ?? receipt_id
}

/** Encrypts facts, because a `Location` may contain a secret. */
export const sealFacts = (name: IdempotencyKey, facts: AnswerFacts, keyring: Keyring): Promise<string> =>
  sealText({ purpose: FACTS_PURPOSE, of: sealedName(name), text: JSON.stringify(facts) }, keyring)

/** Decrypts the result of {@link sealFacts} for the same request; undefined when the keyring does not contain its key. */
export async function unsealFacts(
  name: IdempotencyKey,
  sealed: string,
  keyring: Keyring,
): Promise<AnswerFacts | undefined> {
  const text = await unsealText({ purpose: FACTS_PURPOSE, of: sealedName(name), sealed }, keyring)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Decrypts the result of {@link seal} for the same request; undefined when the keyring does not contain its key. */
export async function unseal(name: IdempotencyKey, sealed: string, keyring: Keyring): Promise<KeptAnswer | undefined> {
  const text = await unsealText({ purpose: PURPOSE, of: sealedName(name), sealed }, keyring)
  return text === undefined ? undefined : JSON.parse(text)
}
