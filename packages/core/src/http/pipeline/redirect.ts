import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { redirectTo } from '../documents/canonical-address.ts'
import { showsErrorsAsHtml } from '../documents/negotiation.ts'

export interface RedirectOptions {
  readonly basePath: string
  /** Whether the listener has a route of this path. */
  readonly has: (path: string) => boolean
}

/** Redirects a request to the canonical address, and a browser that opens a route which returns JSON to its page. */
export function redirect({ basePath, has }: RedirectOptions): onRequestHookHandler {
  const pageFor = (request: FastifyRequest): string | undefined => {
    const { page } = request.eep.route
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (page === undefined || !isRead || !has(page) || !showsErrorsAsHtml(request)) return undefined
    const mark = request.url.indexOf('?')
    return `${basePath}${page}${mark < 0 ? '' : request.url.slice(mark)}`
  }

  return (request, reply, done) => {
    const { canonical, isMalformed } = request.eep
    if (canonical !== undefined) {
      void redirectTo(reply, canonical)
      return
    }
    const page = isMalformed ? undefined : pageFor(request)
    if (page === undefined) done()
    else void reply.redirect(page, 303)
  }
}
