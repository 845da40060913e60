import { randomBytes } from 'node:crypto'
import { argon2id, hash, verify } from 'argon2'
import { hashesAtOnce } from '../../../kernel/thread-pool.ts'
import { createWorkQueue } from './work-queue.ts'

/** The parameters of new hashes. */
export interface HashingOptions {
  readonly memoryKiB: number
  readonly iterations: number
  /** How many hashes are computed concurrently, each with `memoryKiB`. The threads of the process limit it. */
  readonly concurrency: number
}

const PARALLELISM = 1
const MAX_WAITING = 200
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** argon2id (RFC 9106), a few at a time: `login_capacity_exceeded` when too many are waiting. */
export function createPasswordHashing({ memoryKiB, iterations, concurrency }: HashingOptions) {
  const queued = createWorkQueue({ concurrency: hashesAtOnce(concurrency), maxWaiting: MAX_WAITING })

  // A hash without a known password. Comparing with it takes as long as with a stored one.
  const dummyHash = [
    '$argon2id$v=19',
    `m=${memoryKiB},t=${iterations},p=${PARALLELISM}`,
    unpadded(randomBytes(16)),
    unpadded(randomBytes(32)),
  ].join('$')

  return {
    hash: (password: string): Promise<string> =>
      queued(() =>
        hash(password, { type: argon2id, memoryCost: memoryKiB, timeCost: iterations, parallelism: PARALLELISM }),
      ),

    /** Whether this is the password of a stored hash; takes as long when there is none. */
    verify: (stored: string | null | undefined, password: string): Promise<boolean> =>
      queued(() => verify(stored ?? dummyHash, password)),

    /** Whether a hash has weaker parameters than a new one. */
    isOutdated: (stored: string): boolean =>
      !stored.startsWith('$argon2id$v=19$') ||
      parameterOf(stored, 'm') < memoryKiB ||
      parameterOf(stored, 't') < iterations,
  }
}

export type PasswordHashing = ReturnType<typeof createPasswordHashing>

/** A parameter of an encoded hash; libraries differ in the order they write them. */
const parameterOf = (stored: string, name: 'm' | 't') => Number(new RegExp(`[$,]${name}=(\\d+)`).exec(stored)?.[1] ?? 0)
