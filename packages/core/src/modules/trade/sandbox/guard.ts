import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type CookiePolicy, readCookies, setCookie } from '../../../http/cookies.ts'
import { requireOwnForm } from '../../../http/html/html-forms.ts'
import { createNotFoundHandler } from '../../../http/pipeline/error-handler.ts'
import { SAFE_METHODS } from '../../../http/pipeline/identify.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { sameText } from '../../../kernel/digest.ts'

const KEY_BYTES = 16
/** The query parameter with the key, on the first visit. */
const PARAMETER = 'key'
const COOKIE = 'eep_sandbox'

/** A new key of 128 random bits. */
export const newSandboxKey = (): string => randomBytes(KEY_BYTES).toString('base64url')

export interface GuardOptions {
  readonly key: string
  readonly publicUrl: string
  readonly cookies: CookiePolicy
}

/** Cuts the key from the address of a request, so that logs and other readers of the address do not get it, and returns it. */
function takeKey({ raw, query }: FastifyRequest): string | undefined {
  const { url = '' } = raw
  const mark = url.indexOf('?')
  const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  const key = parameters.get(PARAMETER)
  if (key === null) return undefined
  parameters.delete(PARAMETER)
  raw.url = parameters.size === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${parameters}`
  if (typeof query === 'object' && query !== null) Reflect.deleteProperty(query, PARAMETER)
  return key
}

/**
 * Guards the pages that show all emails and sign a browser in to any of a few accounts. They are for the operator, who reads the key in
 * the output of the process. A loopback address is not enough: proxies and tunnels send requests from there.
 */
export function createGuard({ key, publicUrl, cookies }: GuardOptions) {
  const { host, origin } = new URL(publicUrl)
  const ownOrigins = new Set([origin])
  const cookie = cookies.secure && cookies.path === '/' ? `__Host-${COOKIE}` : COOKIE
  const notFound = createNotFoundHandler()

  /** A name that was bound to this machine reaches the listener too, and its pages could read the response. */
  const isAtPublicUrl = ({ headers }: FastifyRequest) => {
    const authority = headers[':authority'] ?? headers.host
    return typeof authority === 'string' && authority.toLowerCase() === host
  }

  const isKey = (text: string | undefined) => text !== undefined && sameText(text, key)

  /** Keeps the key in a cookie of the session of the browser, and sends it to the address without the key. */
  function enter(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    setCookie(reply, cookie, key, undefined, { ...cookies, sameSite: 'Strict' })
    return reply.header('cache-control', 'private, no-store').redirect(request.url, 303)
  }

  const onRequest: onRequestHookHandler = (request, reply, done) => {
    const given = takeKey(request)
    const isIn = isAtPublicUrl(request) && isKey(given ?? readCookies(request)[cookie])
    // The answer to everybody else is that of a path without a route.
    if (!isIn) notFound(request)
    const isSafe = SAFE_METHODS.has(request.method)
    if (!isSafe) requireOwnForm(request, ownOrigins)
    if (given === undefined || !isSafe) done()
    else enter(request, reply)
  }

  return {
    /** The address that opens the pages. */
    url: `${publicUrl}/sandbox?${PARAMETER}=${key}`,

    /** Adds routes that need the key. */
    scope(app: EepRoutes, addRoutes: (routes: EepRoutes) => void): void {
      app.scope((routes, instance) => {
        instance.addHook('onRequest', onRequest)
        addRoutes(routes)
      })
    },
  }
}
