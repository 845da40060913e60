import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearCookie, readCookies, setCookie } from '../../../../http/cookies.ts'
import { sha256 } from '../../../../kernel/digest.ts'

/** The latest checkouts of a browser, which identify buyers who are not signed in. */
export interface BrowserCheckouts {
  /** One browser has one open checkout page per tier. */
  readonly key: string
  /** The ids of the checkout pages, the latest first. */
  readonly ids: readonly string[]
}

interface CheckoutCookie {
  readonly name: string
  readonly key: string
  /** Cookies with higher numbers are later. */
  readonly number: number
  readonly id: string
}

/** Longer than checkout pages stay open. */
const SECONDS = 3_600
const MAX_IDS = 8
const VALUE = /^([\w-]{16,64})\.(\d{1,9})\.([^\0]{1,255})$/

// Each checkout has a separate cookie, so that answers to forms that a browser sends concurrently do not overwrite each other's.
function listCookies(request: FastifyRequest): readonly CheckoutCookie[] {
  const prefix = `${request.eep.cookies.names.checkout}_`
  return Object.entries(readCookies(request))
    .flatMap(([name, value]) => {
      const [, key, number, id] = name.startsWith(prefix) ? (VALUE.exec(value ?? '') ?? []) : []
      if (key === undefined || number === undefined || id === undefined) return []
      return [{ name, key, number: Number(number), id }]
    })
    .sort((left, right) => right.number - left.number)
}

/** The latest checkouts of the browser that sent a request. */
export function readCheckoutCookies(request: FastifyRequest): BrowserCheckouts | undefined {
  const kept = listCookies(request).slice(0, MAX_IDS)
  return kept[0] && { key: kept[0].key, ids: kept.map(({ id }) => id) }
}

/** Notes the latest checkout of a browser. The oldest are removed when there are too many. */
export function addCheckoutCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, id }: { readonly key: string; readonly id: string },
): void {
  const { cookies } = request.eep
  const name = `${cookies.names.checkout}_${sha256(id, 'base64url').slice(0, 12)}`
  const others = listCookies(request).filter((cookie) => cookie.name !== name)
  const number = ((others[0]?.number ?? 0) + 1) % 1_000_000_000
  setCookie(reply, name, encodeURIComponent(`${key}.${number}.${id}`), SECONDS, cookies)
  for (const old of others.slice(MAX_IDS - 1)) clearCookie(reply, old.name, cookies)
}
