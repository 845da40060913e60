import type { FastifyReply } from 'fastify'

/** How cookies are written on this service. */
export interface CookiePolicy {
  /** Cookies travel on https only. */
  readonly secure: boolean
}

/** Sets an HttpOnly cookie for the whole site; the value is sent as it is. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds: number,
  { secure }: CookiePolicy,
): void {
  reply.setCookie(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: maxAgeSeconds,
    encode: String,
  })
}

export function clearCookie(reply: FastifyReply, name: string, { secure }: CookiePolicy): void {
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure })
}
