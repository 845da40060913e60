/** The threads of libuv's pool that hashes leave to files and DNS. */
const THREADS_LEFT = 2
/** What libuv starts without `UV_THREADPOOL_SIZE`. */
const DEFAULT_THREADS = 4

/**
 * Returns how many password hashes run concurrently: what was asked for, but at most two fewer than libuv's pool has threads,
 * and at least one. A worker thread would not help: argon2 uses the same pool from there.
 *
 * @param poolSize - the variable `UV_THREADPOOL_SIZE`
 */
export function hashesAtOnce(wanted: number, poolSize = process.env.UV_THREADPOOL_SIZE): number {
  const threads = poolSize === undefined ? DEFAULT_THREADS : Number.parseInt(poolSize, 10) || 1
  return Math.min(wanted, Math.max(1, threads - THREADS_LEFT))
}
