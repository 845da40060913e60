import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookie names of this service. */
export interface CookieNames {
  readonly session: string
  readonly payer: string
  /** Proves that this service issued the payer cookie. */
  readonly payerProof: string
  /** The latest payers of the browser, each with its proof. */
  readonly purchases: string
  /** The latest checkout pages of a browser: one cookie each, whose name continues with `_` and an id. */
  readonly checkout: string
  /** The receipt that the next page confirms. */
  readonly purchase: string
  /** The payment whose content the next navigation opens. */
  readonly opening: string
  /** What the last form of the browser did, for the next page. */
  readonly said: string
  /** The language that the visitor chose for pages. */
  readonly language: string
  readonly oauthState: string
  readonly oauthNext: string
}

export const DEFAULT_COOKIE_NAMES: CookieNames = {
  session: 'eep_session',
  payer: 'eep_payer',
  payerProof: 'eep_payer_sig',
  purchases: 'eep_purchases',
  checkout: 'eep_checkout',
  purchase: 'eep_purchase',
  opening: 'eep_opening',
  said: 'eep_said',
  language: 'eep_language',
  oauthState: 'oauth_state',
  oauthNext: 'oauth_next',
}

/** The cookie attributes of this service. */
export interface CookiePolicy {
  /** Whether cookies are sent over https only. */
  readonly secure: boolean
  /** The `Path` attribute of cookies. */
  readonly path: string
  readonly names: CookieNames
}

/**
 * The cookies of a service at `publicUrl`. With https and the path `/` their names begin with `__Host-`, so that browsers accept
 * them from this host alone, and from no other one below the same domain. The payer cookie keeps the name of the interface, and
 * those of OAuth keep theirs, because their path is that of the callback.
 */
export function cookiePolicy({ path, names }: Omit<CookiePolicy, 'secure'>, publicUrl: string): CookiePolicy {
  const secure = publicUrl.startsWith('https:')
  if (!secure || path !== '/') return { secure, path, names }
  const { session, payerProof, purchases, checkout, purchase, opening, said, language } = names
  return {
    secure,
    path,
    names: {
      ...names,
      session: `__Host-${session}`,
      payerProof: `__Host-${payerProof}`,
      purchases: `__Host-${purchases}`,
      checkout: `__Host-${checkout}`,
      purchase: `__Host-${purchase}`,
      opening: `__Host-${opening}`,
      said: `__Host-${said}`,
      language: `__Host-${language}`,
    },
  }
}

// @fastify/cookie is not used: the host may have registered it with other options, for example to sign every cookie, and
//   the decorators of this service do not exist on the host's routes.

/** The cookies of a request. */
export const readCookies = ({ headers }: FastifyRequest): Readonly<Record<string, string | undefined>> =>
  headers.cookie === undefined ? {} : parseCookie(headers.cookie)

/** The attributes of one cookie. */
export interface CookieAttributes extends Omit<CookiePolicy, 'names'> {
  /** `Strict` for cookies that links of other sites must not bring. Default: `Lax`. */
  readonly sameSite?: 'Strict' | 'Lax' | undefined
}

/**
 * Sets an HttpOnly cookie. The value is not encoded, and the attributes are in the order of the payer cookie in the interface.
 *
 * @param maxAgeSeconds - undefined for the session of the browser
 */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds: number | undefined,
  { secure, path, sameSite = 'Lax' }: CookieAttributes,
): void {
  const pair = stringifySetCookie({ name, value }, { encode: String })
  const maxAge = maxAgeSeconds === undefined ? '' : ` Max-Age=${maxAgeSeconds};`
  const cookie = `${pair}; HttpOnly; SameSite=${sameSite};${maxAge} Path=${path}`
  reply.header('set-cookie', secure ? `${cookie}; Secure` : cookie)
}

export function clearCookie(reply: FastifyReply, name: string, policy: Omit<CookiePolicy, 'names'>): void {
  setCookie(reply, name, '', 0, policy)
}
