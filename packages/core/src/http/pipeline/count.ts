import type { onRequestHookHandler } from 'fastify'
import type { RateGroup } from '../routes.ts'
import type { CountRequest } from './listener-state.ts'

/**
 * Counts a request in the rate group of its route, and throws over the limit. A request whose caller could not be identified is counted
 * by its address, and fails then.
 */
export const count =
  (countRequest: CountRequest): onRequestHookHandler =>
  (request, reply, done) => {
    const { route, failure, dispatched } = request.eep
    // The request from outside has counted. Groups with their own limits count each operation.
    if (dispatched && (route.limit ?? 'default') === 'default') {
      done(failure)
      return
    }
    if (route.keepsForm) request.eep.countIn = (answer, group) => countRequest(request, answer, group)
    // Counted in the process, most requests wait for nothing.
    const counting = countRequest(request, reply, (route.limit ?? 'default') as RateGroup)
    if (counting) counting.then(() => done(failure), done)
    else done(failure)
  }
