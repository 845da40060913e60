import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { IdempotencyKey } from '../../ports/storage/idempotency.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { type KeptAnswer, seal, unseal } from './sealed-answer.ts'

export interface IdempotencyDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly keyring: Keyring
  /** How long responses are stored, in milliseconds. */
  readonly keptMs: number
}

/** How long a request may take before another attempt assumes that its process died. */
const LEASE_MS = 60_000

/** A request that this process is handling. Call exactly one of the two methods. */
export interface Attempt {
  /** Stores the response of a request that was processed; undefined for a response that cannot be stored. */
  finish(answer: KeptAnswer | undefined): Promise<void>
  /** Releases the key after the request was refused or failed. */
  abandon(): Promise<void>
}

/** The result of starting a request with a key. */
export type Begun =
  | { readonly outcome: 'started'; readonly attempt: Attempt }
  | { readonly outcome: 'in_flight' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'answer_gone' }
  | { readonly outcome: 'answered'; readonly answer: KeptAnswer }

/** Processes each request once, and stores its response. */
export function createIdempotencyService({ write, clock, keyring, keptMs }: IdempotencyDeps) {
  return {
    /** Starts a request under a key of its account, or returns the state of the earlier request with that key. */
    async begin(request: IdempotencyKey & { readonly fingerprint: string }): Promise<Begun> {
      const { accountId, route, key } = request
      const name = { accountId, route, key }
      const holder = randomUUID()
      const expiresAt = new Date(clock().getTime() + keptMs)
      const begun = await write((tx) => tx.idempotency.begin({ ...request, holder, expiresAt }, LEASE_MS))
      if (begun.outcome === 'answered') {
        const answer = begun.answer === null ? undefined : await unseal(name, begun.answer, keyring)
        return answer ? { outcome: 'answered', answer } : { outcome: 'answer_gone' }
      }
      if (begun.outcome !== 'started') return begun
      return {
        outcome: 'started',
        attempt: {
          async finish(answer) {
            const sealed = answer && (await seal(name, answer, keyring))
            await write((tx) => tx.idempotency.end({ ...name, holder }, { answer: sealed ?? null }))
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
