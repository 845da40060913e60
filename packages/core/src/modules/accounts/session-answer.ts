import type { FastifyReply } from 'fastify'
import { type CookiePolicy, setCookie } from '../../http/cookies.ts'
import { serializeSession } from './serialize.ts'
import { SESSION_SECONDS } from './session-token.ts'
import type { Session } from './sessions.ts'

/** A response with a message. */
export const done = (message: string) => ({ success: true as const, message })

/** Sets the session cookie in browsers; other clients get the token in the body. */
export function sessionAnswer(reply: FastifyReply, session: Session, cookies: CookiePolicy) {
  setCookie(reply, cookies.names.session, session.token, SESSION_SECONDS, cookies)
  reply.header('cache-control', 'no-store')
  return serializeSession(session)
}
