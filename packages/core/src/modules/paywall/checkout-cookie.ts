import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookies, setCookie } from '../../http/cookies.ts'

/** The latest checkouts of a browser, which identify buyers who are not signed in. */
export interface BrowserCheckouts {
  /** One browser has one open checkout page per tier. */
  readonly key: string
  /** The ids of the checkout pages, the latest first. */
  readonly ids: readonly string[]
}

/** Longer than checkout pages stay open. */
const SECONDS = 3_600
const MAX_IDS = 8
/** Browsers store about 4,096 characters of a cookie, with its name and attributes. */
const MAX_LENGTH = 3_500

/** The latest checkouts of the browser that sent a request. */
export function readCheckoutCookie(request: FastifyRequest): BrowserCheckouts | undefined {
  const value = readCookies(request)[request.eep.cookies.names.checkout]
  const [, key, list] = /^([\w-]{16,64})\.([^\0]+)$/.exec(value ?? '') ?? []
  if (key === undefined || list === undefined) return undefined
  const ids = list.split(' ').filter((id) => id !== '' && id.length <= 255)
  return { key, ids: ids.slice(0, MAX_IDS) }
}

/** Notes the latest checkouts of a browser. The oldest are left out when there are too many. */
export function writeCheckoutCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, ids }: BrowserCheckouts,
): void {
  const { cookies } = request.eep
  const write = (kept: readonly string[]) => encodeURIComponent(`${key}.${kept.join(' ')}`)
  let kept = [...new Set(ids)].slice(0, MAX_IDS)
  while (kept.length > 1 && write(kept).length > MAX_LENGTH) kept = kept.slice(0, -1)
  setCookie(reply, cookies.names.checkout, write(kept), SECONDS, cookies)
}
