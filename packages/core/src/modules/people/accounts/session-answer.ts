import type { FastifyReply } from 'fastify'
import { type CookiePolicy, setCookie } from '../../../http/cookies.ts'
import { serializeBrowserSession, serializeSession } from './serialize.ts'
import { SESSION_SECONDS } from './session-token.ts'
import type { Session } from './sessions.ts'

/** A response with a message. */
export const done = (message: string) => ({ success: true as const, message })

/** Sets the session cookie of a sign-in. */
export function setSessionCookie(
  reply: FastifyReply,
  { cookie }: Pick<Session, 'cookie'>,
  cookies: CookiePolicy,
): void {
  setCookie(reply, cookies.names.session, cookie, SESSION_SECONDS, cookies)
  reply.header('cache-control', 'no-store')
}

/** Sets the session cookie in browsers; other clients get a bearer token in the body. */
export function sessionAnswer(reply: FastifyReply, session: Session, cookies: CookiePolicy) {
  setSessionCookie(reply, session, cookies)
  return serializeSession(session)
}

/** Sets the session cookie. The body describes the account, without a token. */
export function browserSessionAnswer(reply: FastifyReply, session: Session, cookies: CookiePolicy) {
  setSessionCookie(reply, session, cookies)
  return serializeBrowserSession(session)
}
