import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { isOAuthErrorCode, type OAuthErrorCode, oauthError } from './oauth-error.ts'

const MAX_FORM_BYTES = 32_768
const MAX_PARAMETERS = 50
const RETRY_MS = 1_000

/** Any error as one of OAuth. */
function asOAuthError(error: unknown, request: FastifyRequest, ofInput: OAuthErrorCode) {
  if (isEepError(error)) {
    const { code, status, message, retryAfterMs, challenges } = error
    if (isOAuthErrorCode(code)) return error
    if (status === 429 || status === 503)
      return oauthError('temporarily_unavailable', message, { status, retryAfterMs: retryAfterMs ?? RETRY_MS })
    // 505 too: the request asks for a version of EEP that the service does not have.
    if (status !== 500) return oauthError(ofInput, message, { status, challenges })
  }
  const { statusCode = 500, message = '' } = error as { readonly statusCode?: number; readonly message?: string }
  if (statusCode >= 400 && statusCode < 500) return oauthError(ofInput, message, { status: statusCode })
  request.log.error({ err: error }, 'request failed')
  return oauthError('server_error', 'Something went wrong on the server')
}

/** The parameters of a form. One that is sent several times is a list, which only `resource` may be. */
function parametersOf(body: string): Readonly<Record<string, string | readonly string[]>> {
  const parameters: Record<string, string | string[]> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(body)) {
    count += 1
    if (count > MAX_PARAMETERS) break
    // RFC 6749, 3.1: parameters without a value are treated as if they were not sent.
    if (value === '') continue
    const earlier = parameters[name]
    parameters[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return { ...parameters }
}

/** Lets pages of any origin read an answer, without their cookies. Every route of the protocol is called by programs in pages. */
function readableAnywhere(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').removeHeader('access-control-allow-credentials')
}

/**
 * Adds routes of the protocol: their errors have the bodies of RFC 6749, pages of any origin may read them without cookies, and they are not
 * stored.
 *
 * @param body - what the routes read: forms, as OAuth demands, or JSON
 * @param ofInput - the error code of a body that is not valid
 */
export function protocolRoutes(
  app: EepRoutes,
  body: 'form' | 'json',
  ofInput: OAuthErrorCode,
  addRoutes: (routes: EepRoutes) => void,
): void {
  app.scope((routes, instance: FastifyInstance) => {
    instance.setErrorHandler((error, request, reply) => {
      readableAnywhere(reply)
      // The handler of the service writes it.
      throw asOAuthError(error, request, ofInput)
    })
    instance.addHook('preHandler', async (_request, reply) => {
      readableAnywhere(reply)
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    })
    if (body === 'form') {
      instance.removeAllContentTypeParsers()
      instance.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
        (_request, text, done) => done(null, parametersOf(String(text))),
      )
    }
    addRoutes(routes)
  })
}
