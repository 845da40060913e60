import { AsyncLocalStorage } from 'node:async_hooks'
import { type ActingApp, actingApp } from '../../model/acting-app.ts'
import type { Caller } from '../../model/caller.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { JobOrigin } from '../../ports/storage/jobs.ts'

/** A request, or what a job is part of. */
export interface ScopeOrigin extends JobOrigin {
  /** Returns the caller of the request, once it is identified. */
  readonly caller?: (() => Caller | undefined) | undefined
}

/** Knows in which request code runs, without passing it to every function. */
export interface RequestScope {
  /** The request in which the caller runs; undefined in background work. */
  current(): JobOrigin | undefined
  /** Returns the app by which an account acts in the current request. */
  actingApp(accountId: string): ActingApp | null
  /** Runs work as part of a request, with everything it starts. Undefined: outside of any request. */
  run<Result>(origin: ScopeOrigin | undefined, work: () => Result): Result
}

/** Creates the scope of a service. */
export function createRequestScope(): RequestScope {
  const scope = new AsyncLocalStorage<ScopeOrigin | undefined>()
  return {
    current: () => scope.getStore(),
    actingApp(accountId) {
      const caller = scope.getStore()?.caller?.()
      return caller?.account.id === accountId ? actingApp(caller) : null
    },
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
