import type { FastifyRequest } from 'fastify'
import type { Agent } from '../../model/agent.ts'
import type { Caller } from '../../model/caller.ts'
import { readCookies } from '../cookies.ts'

/**
 * Where a request carries a credential: in a header, after a scheme of the header `Authorization`, or in a cookie. Names of headers and
 * schemes are compared without case.
 */
export type Carrier =
  | { readonly header: string; readonly scheme?: undefined; readonly cookie?: undefined }
  | { readonly scheme: string; readonly header?: undefined; readonly cookie?: undefined }
  | { readonly cookie: string; readonly header?: undefined; readonly scheme?: undefined }

/** The sender of a credential: an account, an agent, or an agent that acts for an account. Never an administrator. */
export type Authenticated =
  | {
      /** The id of the account. One that is banned or scheduled for deletion is refused. */
      readonly accountId: string
      /** What the credential may do, as the scopes of an API key. Default: what a session of the account may. */
      readonly scopes?: readonly string[] | undefined
      readonly agentDid?: string | undefined
    }
  | {
      readonly accountId?: undefined
      /** The DID of the agent. It counts as verified, as if the agent had signed the request. */
      readonly agentDid: string
    }

/** How a module identifies callers by a credential that no other module reads. */
export interface Authenticator {
  readonly carrier: Carrier
  /**
   * Returns who sent a credential; undefined for one that is not of this module, so that others are tried.
   *
   * @param credential - the value of the header or cookie, or what follows the scheme
   * @throws an error of status 401 for a credential that is refused. No other credential of the request is tried then: routes that
   *   require a caller answer with the error, and public routes as for anonymous requests
   */
  authenticate(credential: string): Promise<Authenticated | undefined>
}

/** The caller and the agent of a credential. */
export interface IdentifiedByModule {
  readonly caller?: Caller | undefined
  readonly agent?: Agent | undefined
}

/** An authenticator whose accounts are looked up. */
export interface ModuleAuthenticator {
  readonly carrier: Carrier
  identify(credential: string): Promise<IdentifiedByModule | undefined>
}

/** Returns the token of an `Authorization` header with this scheme; undefined for other schemes. */
export function authorizationToken(header: string | undefined, scheme: string): string | undefined {
  if (!header) return undefined
  const space = header.indexOf(' ')
  if (space < 0 || header.slice(0, space).toLowerCase() !== scheme) return undefined
  return header.slice(space + 1).trim()
}

/** A member of an object, which is none of its prototype. */
const own = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** The credential that a request has in a carrier. */
export function credentialIn(request: FastifyRequest, { header, scheme, cookie }: Carrier): string | undefined {
  const { headers } = request
  if (header !== undefined) return own(headers, header.toLowerCase())?.toString()
  if (scheme !== undefined) return authorizationToken(headers.authorization, scheme.toLowerCase())
  return own(readCookies(request), cookie)
}

/** The header in which a carrier is, as `Vary` names it. */
export const headerOf = ({ header, scheme }: Carrier): string =>
  header ?? (scheme === undefined ? 'Cookie' : 'Authorization')

/** A carrier in words, for errors: `header x-badge`. */
export function carrierName({ header, scheme, cookie }: Carrier): string {
  if (header !== undefined) return `header ${header.toLowerCase()}`
  return scheme === undefined ? `cookie ${cookie}` : `scheme ${scheme.toLowerCase()}`
}

/** The schemes whose credentials browsers keep and send by themselves, also for pages of other sites. */
const SCHEMES_OF_BROWSERS: ReadonlySet<string> = new Set([
  'basic',
  'digest',
  'kerberos',
  'mutual',
  'negotiate',
  'nego2',
  'ntlm',
])

/** Whether browsers send the credential in a carrier by themselves: a cookie, or after one of their schemes. */
export const isSentByBrowsers = ({ scheme, cookie }: Carrier): boolean =>
  cookie !== undefined || (scheme !== undefined && SCHEMES_OF_BROWSERS.has(scheme.toLowerCase()))

/** What the contract of the service, HTTP and browsers define. */
const RESERVED_HEADERS =
  /^(accept|access-control|connection|content|cookie|crawler|date|dnt|eep|expect|forwarded|from|host|idempotency|if|keep-alive|last-event-id|link|origin|payment|pragma|prefer|priority|proxy|purpose|range|referer|save-data|sec|set-cookie|sign-in-with-x|signature|stripe-signature|te|traceparent|tracestate|trailer|transfer-encoding|true-client-ip|upgrade|user-agent|vary|via|webhook|www-authenticate|authorization|cache-control|x-active-profile-id|x-api-key|x-csrf|x-eep|x-forwarded|x-http-method|x-payment|x-real-ip|x-request-id)(-|$)/
const RESERVED_SCHEMES = /^(bearer|payment|eep(-.*)?)$/
const RESERVED_COOKIES = /^(__host-|__secure-)?(eep_|oauth_(state|next)$)/i
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Whether the contract of the service has a carrier.
 *
 * @param cookies - the names of the cookies of the service
 * @throws TypeError when the name of the carrier is not a token of HTTP
 */
export function isReserved(carrier: Carrier, cookies: readonly string[]): boolean {
  const { header, scheme, cookie } = carrier
  const name = header ?? scheme ?? cookie
  if (name === undefined || !TOKEN.test(name)) {
    throw new TypeError(`The ${carrierName(carrier)} is not a name that HTTP can carry`)
  }
  if (header !== undefined) return RESERVED_HEADERS.test(header.toLowerCase())
  if (scheme !== undefined) return RESERVED_SCHEMES.test(scheme.toLowerCase())
  return RESERVED_COOKIES.test(name) || cookies.includes(name)
}
