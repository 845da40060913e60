import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { IdempotencyKey } from '../../ports/storage/idempotency.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { type KeptAnswer, seal, unseal } from './sealed-answer.ts'

export interface IdempotencyDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly keyring: Keyring
  /** How long an answer is given again. */
  readonly keptMs: number
}

/** How long a request may take before another attempt assumes that its process died. */
const LEASE_MS = 60_000

/** A request that this process carries out; it ends in one of two ways. */
export interface Attempt {
  /** It was carried out, and this is its answer; undefined for one that cannot be kept. */
  finish(answer: KeptAnswer | undefined): Promise<void>
  /** It was refused, or failed: the key is free again. */
  abandon(): Promise<void>
}

/** What becomes of a request with a key. */
export type Begun =
  | { readonly outcome: 'started'; readonly attempt: Attempt }
  | { readonly outcome: 'in_flight' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'answer_gone' }
  | { readonly outcome: 'answered'; readonly answer: KeptAnswer }

/** Processes requests once, and stores their responses. */
export function createIdempotencyService({ write, clock, keyring, keptMs }: IdempotencyDeps) {
  return {
    /** Begins a request under a key of its account, or returns the state of the earlier one. */
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
