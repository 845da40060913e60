import { randomBytes } from 'node:crypto'
import { argon2id, hash, verify } from 'argon2'
import { createWorkQueue } from './work-queue.ts'

/** The parameters of new hashes. */
export interface HashingOptions {
  readonly memoryKiB: number
  readonly iterations: number
  /** How many hashes are computed concurrently, each with `memoryKiB`. {@link hashesAtOnce} limits it. */
  readonly concurrency: number
}

const PARALLELISM = 1
const MAX_WAITING = 200
/** The threads of libuv's pool that hashes leave to files and DNS. */
const THREADS_LEFT = 2
/** What libuv starts without `UV_THREADPOOL_SIZE`. */
const DEFAULT_THREADS = 4

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/**
 * Returns how many hashes run concurrently: what was asked for, but at most two fewer than libuv's pool has threads, and at
 * least one. A worker thread would not help: argon2 uses the same pool from there.
 *
 * @param poolSize - the variable `UV_THREADPOOL_SIZE`
 *
 * @internal
 */
export function hashesAtOnce(wanted: number, poolSize = process.env.UV_THREADPOOL_SIZE): number {
  const threads = poolSize === undefined ? DEFAULT_THREADS : Number.parseInt(poolSize, 10) || 1
  return Math.min(wanted, Math.max(1, threads - THREADS_LEFT))
}

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
