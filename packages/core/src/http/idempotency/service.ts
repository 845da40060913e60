import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { hmac } from '../../kernel/digest.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { IdempotencyKey } from '../../ports/storage/idempotency.ts'
import type { GuardedStorage } from '../../runtime/storage/guard.ts'
import { type AnswerFacts, factsOf, type KeptAnswer, seal, sealFacts, unseal, unsealFacts } from './sealed-answer.ts'

export interface IdempotencyDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly keyring: Keyring
  /** How long responses are stored, in milliseconds. */
  readonly keptMs: number
  /** The bytes of encrypted responses that an account may have. The oldest ones above lose their body. */
  readonly maxBytes: number
  /** How many keys an account may have at a time. */
  readonly maxKeys: number
}

/** How long a request may take before another attempt assumes that its process died. */
const LEASE_MS = 60_000

/** A request that this process is handling. Call exactly one of the two methods. */
export interface Attempt {
  /** Stores the response of a request that was processed, without its body when `isWhole` is false. */
  finish(answer: KeptAnswer, isWhole: boolean): Promise<void>
  /** Releases the key after the request was refused or failed. */
  abandon(): Promise<void>
}

/** The result of starting a request with a key. */
export type Begun =
  | { readonly outcome: 'started'; readonly attempt: Attempt }
  | { readonly outcome: 'in_flight' }
  /** Without facts while the earlier request is processed, and when they cannot be decrypted any more. */
  | { readonly outcome: 'mismatch'; readonly isAnswered: boolean; readonly facts: AnswerFacts | undefined }
  | { readonly outcome: 'too_many_keys'; readonly retryAfterMs: number }
  | { readonly outcome: 'answer_gone'; readonly facts: AnswerFacts | undefined }
  | { readonly outcome: 'answered'; readonly answer: KeptAnswer }

/** A request with what it is compared by when it is repeated. */
export interface NamedRequest extends IdempotencyKey {
  /** May contain a password: a digest with a key of the service is stored. */
  readonly content: string
}

/** Processes each request once, and stores its response. */
export function createIdempotencyService(deps: IdempotencyDeps) {
  const { write, clock, keyring, keptMs, maxBytes, maxKeys } = deps
  const fingerprintKeys = keyring.shared('idempotency-fingerprint')

  /** Takes the key, or compares the request with the one that has it: that one may have come before the secret was rotated. */
  async function take(name: IdempotencyKey, content: string, holder: string) {
    const expiresAt = new Date(clock().getTime() + keptMs)
    const begin = (secret: Uint8Array) => {
      const attempt = { ...name, fingerprint: hmac(secret, content, 'hex'), holder, expiresAt }
      return write((tx) => tx.idempotency.begin(attempt, { leaseMs: LEASE_MS, maxKeys }))
    }
    const [newest, ...earlier] = fingerprintKeys
    let begun = await begin(newest.key)
    for (const { key } of earlier) {
      if (begun.outcome !== 'mismatch') return begun
      begun = await begin(key)
    }
    return begun
  }

  return {
    /** Starts a request under a key of its account, or returns the state of the earlier request with that key. */
    async begin({ accountId, route, key, content }: NamedRequest): Promise<Begun> {
      const name = { accountId, route, key }
      const holder = randomUUID()
      const begun = await take(name, content, holder)
      const factsIn = async (sealed: string | null) =>
        sealed === null ? undefined : unsealFacts(name, sealed, keyring)
      if (begun.outcome === 'answered') {
        const answer = begun.answer === null ? undefined : await unseal(name, begun.answer, keyring)
        if (answer) return { outcome: 'answered', answer }
        return { outcome: 'answer_gone', facts: await factsIn(begun.facts) }
      }
      if (begun.outcome === 'mismatch') {
        return { outcome: 'mismatch', isAnswered: begun.facts !== null, facts: await factsIn(begun.facts) }
      }
      if (begun.outcome === 'too_many_keys') {
        const retryAfterMs = Math.max(1, begun.freeAt.getTime() - clock().getTime())
        return { outcome: 'too_many_keys', retryAfterMs }
      }
      if (begun.outcome !== 'started') return begun
      return {
        outcome: 'started',
        attempt: {
          async finish(answer, isWhole) {
            const sealed = isWhole ? await seal(name, answer, keyring) : undefined
            const facts = await sealFacts(name, factsOf(answer), keyring)
            const stored = { answer: sealed ?? null, facts, maxBytes }
            await write((tx) => tx.idempotency.end({ ...name, holder }, stored))
          },
          async abandon() {
            await write((tx) => tx.idempotency.end({ ...name, holder }, 'abandoned'))
          },
        },
      }
    },
  }
}

export type IdempotencyService = ReturnType<typeof createIdempotencyService>
