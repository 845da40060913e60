import type { onRequestHookHandler } from 'fastify'
import type { HttpEnvironment } from '../environment.ts'

/** The routes about the service itself, which sell nothing: health, metrics and documents for machines. */
const ABOUT_THE_SERVICE: ReadonlySet<string> = new Set(['system', 'discovery'])

/** Lets requests wait until the service may answer them, except those about the service itself. */
export const waitForService =
  ({ beforeRequest }: Pick<HttpEnvironment, 'beforeRequest'>): onRequestHookHandler =>
  (request, _reply, done) => {
    const waiting = ABOUT_THE_SERVICE.has(request.eep.route.tag) ? undefined : beforeRequest()
    if (waiting) waiting.then(() => done(), done)
    else done()
  }
