import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookies, setCookie } from '../../http/cookies.ts'

/** The latest checkout of a browser, which identifies buyers who are not signed in. */
export interface BrowserCheckout {
  /** One browser has one open checkout page per tier. */
  readonly key: string
  /** The id of the checkout page. */
  readonly id: string
}

/** Longer than checkout pages stay open. */
const SECONDS = 3_600

/** The latest checkout of the browser that sent a request. */
export function readCheckoutCookie(request: FastifyRequest): BrowserCheckout | undefined {
  const value = readCookies(request)[request.eep.cookies.names.checkout]
  const [, key, id] = /^([\w-]{16,64})\.(.{1,255})$/s.exec(value ?? '') ?? []
  return key !== undefined && id !== undefined && !id.includes('\0') ? { key, id } : undefined
}

/** Notes the latest checkout of a browser. */
export function writeCheckoutCookie(request: FastifyRequest, reply: FastifyReply, { key, id }: BrowserCheckout): void {
  const { cookies } = request.eep
  setCookie(reply, cookies.names.checkout, encodeURIComponent(`${key}.${id}`), SECONDS, cookies)
}
