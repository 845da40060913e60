import { storageUnavailable } from '@eep/core/ports'

const RETRY_AFTER_MS = 2_000

/** The codes with which Node reports an unreachable server and a broken connection. */
const NETWORK_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * SQLSTATE: connection exceptions (class 08), a server that shuts down, has crashed or is starting (57P01 to 57P03), has
 * no free connection (53300), or has become a standby (25006).
 */
const SERVER_ERRORS = /^(08...|57P0[123]|53300|25006)$/

/** The messages of `pg`, without a code, about connections that were lost or timed out. */
const DRIVER_ERRORS =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|timeout e(xceeded|xpired)|Query read timeout)/i

/** Whether an error means that the database cannot be reached, regardless of the statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  if ('code' in error && typeof error.code === 'string') {
    return NETWORK_ERRORS.has(error.code) || SERVER_ERRORS.test(error.code)
  }
  return DRIVER_ERRORS.test(error.message)
}

/** Runs work on the database. Throws `storage_unavailable` when it cannot be reached. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    return rethrow(cause)
  }
}

function rethrow(cause: unknown): never {
  if (!isUnavailable(cause)) throw cause
  throw storageUnavailable({ retryAfterMs: RETRY_AFTER_MS, cause })
}

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** Wraps stores, so that their methods throw `storage_unavailable` when the database cannot be reached. */
export function reportingUnavailability<Stores extends object>(stores: Stores): Stores {
  const reporting = (store: Methods) =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        // Each of them returns a promise and throws nothing itself.
        (...args: never[]) => method.apply(store, args).catch(rethrow),
      ]),
    )
  // `Object.fromEntries` loses the keys; there is an entry for each store.
  return Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, reporting(store as Methods)]),
  ) as unknown as Stores
}
