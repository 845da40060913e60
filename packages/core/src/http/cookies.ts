import type { FastifyReply, FastifyRequest } from 'fastify'

/** How cookies are written on this service. */
export interface CookiePolicy {
  /** Cookies travel on https only. */
  readonly secure: boolean
  /** Where they are sent; everywhere unless told. */
  readonly path?: string | undefined
}

// A host may have registered the cookie plugin with options of its own, to sign every cookie, say. Parsing and writing go
// through its plain functions, which those options do not reach.

/** The cookies of a request. */
export const readCookies = ({ headers, server }: FastifyRequest): Readonly<Record<string, string | undefined>> =>
  headers.cookie === undefined ? {} : server.parseCookie(headers.cookie)

/** Sets an HttpOnly cookie; the value is sent as it is. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds: number,
  { secure, path = '/' }: CookiePolicy,
): void {
  const attributes = {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: maxAgeSeconds,
    encode: String,
  } as const
  reply.header('set-cookie', reply.server.serializeCookie(name, value, attributes))
}

export function clearCookie(reply: FastifyReply, name: string, policy: CookiePolicy): void {
  setCookie(reply, name, '', 0, policy)
}
