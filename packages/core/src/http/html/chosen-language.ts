import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookiePolicy, readCookies, setCookie } from '../cookies.ts'

/** The query by which the footer of a page links to the page in another language. */
const PARAMETER = 'lang'

const YEAR_SECONDS = 365 * 24 * 3600

/** Returns the language that the address of a request names, before its query is validated. */
export function languageOfAddress({ query }: FastifyRequest): string | undefined {
  const { [PARAMETER]: named } = (query ?? {}) as { readonly [PARAMETER]?: unknown }
  return typeof named === 'string' ? named : undefined
}

const cookieOf = (request: FastifyRequest, { names }: CookiePolicy): string | undefined =>
  // Most requests have no such cookie, and need no parsing.
  request.headers.cookie?.includes(names.language) ? readCookies(request)[names.language] : undefined

/**
 * Returns the language that a visitor chose for pages: by the address, or earlier, by a cookie. It comes before
 * `Accept-Language`, and may be one that the service does not have.
 */
export const chosenLanguage = (
  request: FastifyRequest,
  named: string | undefined,
  cookies: CookiePolicy,
): string | undefined => named ?? cookieOf(request, cookies)

/** Returns the `Accept-Language` of a request, with the language that the visitor chose before all others. */
export function acceptedLanguages(request: FastifyRequest): string | undefined {
  const accepted = request.headers['accept-language']
  const chosen = chosenLanguage(request, request.eep.named, request.eep.cookies)
  if (chosen === undefined) return accepted
  return accepted === undefined ? chosen : `${chosen},${accepted}`
}

/** Makes the browser keep the language of a page whose address names it. */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply): void {
  const { named, site, cookies } = request.eep
  if (named === undefined || named !== site.language || cookieOf(request, cookies) === named) return
  setCookie(reply, cookies.names.language, named, YEAR_SECONDS, cookies)
}

/** Returns the query of a page without its language, for the links to its other languages; undefined for answers to forms. */
export function queryOfPage({ method, url }: FastifyRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const mark = url.indexOf('?')
  if (mark < 0) return ''
  const query = new URLSearchParams(url.slice(mark + 1))
  query.delete(PARAMETER)
  return String(query)
}

/** The address of the same page in a language. */
export const languageHref = (query: string, language: string): string =>
  `?${query && `${query}&`}${PARAMETER}=${encodeURIComponent(language)}`
