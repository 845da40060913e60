import { AsyncLocalStorage } from 'node:async_hooks'
import type { EepLogger } from '../../ports/logger.ts'
import type { JobOrigin } from '../../ports/storage/jobs.ts'

/** Knows in which request code runs, without passing it to every function. */
export interface RequestScope {
  /** The request in which the caller runs; undefined in background work. */
  current(): JobOrigin | undefined
  /** Runs work as part of a request, with everything it starts. Undefined: outside of any request. */
  run<Result>(origin: JobOrigin | undefined, work: () => Result): Result
}

/** Creates the scope of a service. */
export function createRequestScope(): RequestScope {
  const scope = new AsyncLocalStorage<JobOrigin | undefined>()
  return {
    current: () => scope.getStore(),
    run: (origin, work) => scope.run(origin, work),
  }
}

/** Returns a logger that adds the id of the request to the lines of its work, under the name that Fastify uses. */
export function withRequestId(logger: EepLogger | undefined, scope: RequestScope): EepLogger | undefined {
  if (!logger) return undefined
  const withId = (details: object) => {
    const origin = scope.current()
    return origin ? { reqId: origin.requestId, ...details } : details
  }
  return {
    info: (details, message) => logger.info(withId(details), message),
    warn: (details, message) => logger.warn(withId(details), message),
    error: (details, message) => logger.error(withId(details), message),
  }
}
