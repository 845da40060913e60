import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import {
  defineError,
  type EepError,
  insufficientScope,
  internalError,
  isEepError,
  notFound,
  validationFailed,
} from '../../kernel/errors.ts'
import { movedUrl } from '../documents/moved-url.ts'
import { MEDIA_TYPES, showsErrorsAsHtml, withoutParameters } from '../documents/negotiation.ts'
import { NO_CONTENT } from '../documents/no-content.ts'
import { keepLanguage, queryOfPage } from '../html/chosen-language.ts'
import { errorView, pageStatusOf } from '../html/error-page.ts'
import { writePage } from '../html/page.ts'
import { signInPath } from '../html/sign-in-path.ts'
import { hrefOn, type Site } from '../html/view.ts'
import { siteOfViewer } from '../html/viewer.ts'
import { type AppTokens, challengesOf } from './app-tokens.ts'
import { headersOf } from './error-headers.ts'
import { hasForm, problemDocument } from './problem-document.ts'
import { addV1Response } from './x402-v1-response.ts'

export const malformedJson = defineError('malformed_json', 400, 'The body is not valid JSON')
export const payloadTooLarge = defineError('payload_too_large', 413, 'The body is too large')
export const unsupportedMediaType = defineError('unsupported_media_type', 415, 'Send the body as application/json')

/** Maps errors of Fastify to errors of the service. */
const FASTIFY_ERRORS: Readonly<Record<string, (error: FastifyError) => EepError>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => malformedJson(),
  FST_ERR_CTP_BODY_TOO_LARGE: () => payloadTooLarge(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => validationFailed({ message: 'Content-Length does not match the body' }),
}

/** Converts a thrown value to an `EepError`. Unexpected errors are logged and become `internal_error`. */
function toEepError(error: unknown, request: FastifyRequest): EepError {
  if (isEepError(error)) {
    if (error.status >= 500) request.log.warn({ err: error }, 'request could not be served')
    return error
  }
  const { code, statusCode = 500, message } = error as FastifyError
  const known = code ? FASTIFY_ERRORS[code] : undefined
  if (known) return known(error as FastifyError)
  if (error instanceof SyntaxError && statusCode === 400) return malformedJson()
  if (statusCode >= 400 && statusCode < 500) return validationFailed({ message: message.slice(0, 256) })
  request.log.error({ err: error }, 'request failed')
  return internalError({ details: { request_id: request.id } })
}

/** Errors of anonymous requests that might not apply if the caller were identified. */
const OF_STRANGERS: ReadonlySet<number> = new Set([402, 403, 404, 410])

/**
 * Replaces an error that depends on the caller: by a temporary one when the caller could not be identified, and by what a connected app
 * lacks where an anonymous visitor is asked to pay or finds nothing.
 */
function asIdentified(error: EepError, { eep }: FastifyRequest): EepError {
  if (eep?.missingScope !== undefined && (error.status === 402 || error.status === 404)) {
    eep.errorView = undefined
    return insufficientScope({ details: { required: eep.missingScope } })
  }
  if (!eep?.unidentified || !OF_STRANGERS.has(error.status)) return error
  eep.errorView = undefined
  return eep.unidentified
}

export interface ErrorFormat {
  readonly site: Site
  /** The URL of the error reference, without the code. */
  readonly docsUrl: string
  /** What clients need to connect by OAuth; undefined when nothing connects them. */
  readonly apps?: AppTokens | undefined
  /** Called with each error that is sent. */
  readonly onError?: ((error: EepError) => void) | undefined
}

/** Returns the JSON body of an error. */
function errorText({ code, message, details, body, bodyMembers }: EepError): string {
  const error = { code, message, details }
  if (bodyMembers === undefined) return JSON.stringify({ error, ...body })
  return `{"error":${JSON.stringify(error)},${bodyMembers}}`
}

const PROBLEM = 'application/problem+json'

/**
 * Whether an error is sent as a problem document: its route always does, or the client explicitly accepts them. Wildcards
 * do not count, and `q=0` excludes them.
 */
export function wantsProblem({ headers: { accept }, routeOptions }: FastifyRequest, error?: EepError): boolean {
  const problems = routeOptions.config?.eep?.problems
  if (problems === 'closed' ? error && hasForm(error) : problems) return true
  if (!accept?.toLowerCase().includes(PROBLEM)) return false
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes([PROBLEM]).length > 0
}

/** Where a visitor signs in to see the requested page. A form is not sent again. */
function signInHref(request: FastifyRequest): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const path = request.eep && signInPath(request, isRead ? request.url : undefined)
  return path === undefined ? undefined : hrefOn(request.eep.site, path)
}

/** Sends an error as an HTML page, with the headers that other formats have. */
async function sendErrorPage(
  error: EepError,
  request: FastifyRequest,
  reply: FastifyReply,
  { site: ofService, docsUrl }: ErrorFormat,
): Promise<FastifyReply> {
  // A request that failed before its hooks has no language.
  const site = request.eep ? await siteOfViewer(request, reply) : ofService
  const view = request.eep?.errorView?.(error) ?? errorView(error, hrefOn(site, docsUrl), site, signInHref(request))
  const { markup, headers } = await writePage(view, site, { alternates: [], query: queryOfPage(request) })
  if (request.eep) keepLanguage(request, reply)
  const varies = String(reply.getHeader('vary'))
  const vary = ['Accept-Language', 'Cookie'].filter((name) => !varies.split(', ').includes(name))
  if (site.viewer) reply.header('cache-control', 'private, no-store')
  return reply
    .headers(headers)
    .header('vary', [varies, ...vary].join(', '))
    .type(MEDIA_TYPES.html)
    .send(markup)
}

/** An error, and its body as JSON or as a problem document. */
interface WrittenError {
  readonly error: EepError
  readonly type: string
  readonly text: string
}

function writeError(error: EepError, request: FastifyRequest, docsUrl: string): WrittenError {
  return wantsProblem(request, error)
    ? { error, type: PROBLEM, text: JSON.stringify(problemDocument(error, docsUrl)) }
    : { error, type: MEDIA_TYPES.json, text: errorText(error) }
}

/** Writes an error, or an internal error in its place when JSON cannot represent it, for example a BigInt in its details. */
function writeAnyError(error: EepError, request: FastifyRequest, docsUrl: string): WrittenError {
  try {
    return writeError(error, request, docsUrl)
  } catch (fault) {
    return writeError(toEepError(fault, request), request, docsUrl)
  }
}

/** Sets the headers of an error: those of its facts, and those of every error. */
function setHeaders(error: EepError, request: FastifyRequest, reply: FastifyReply, { apps }: ErrorFormat): void {
  // A receipt and the charged price are only sent with the content that was paid for.
  reply.removeHeader('payment-receipt')
  reply.removeHeader('crawler-charged')
  const { vary, ...headers } = headersOf(error, challengesOf(error, request, apps))
  reply.headers(headers)
  // Where the refusal depends on the reader, the paywall has set it.
  if (vary !== undefined && !request.eep?.variesByReader) reply.header('vary', vary)
  addV1Response(request, reply, error.x402?.response)
  const location = movedUrl(request.url, error.moves)
  if (location !== undefined) reply.header('location', location)
  // The route may have stated how long its content can be cached, before it failed.
  const forbidsCaches = /\bno-store\b/i.test(String(reply.getHeader('cache-control')))
  if (error.visibility === undefined && !forbidsCaches) reply.header('cache-control', 'no-store')
  // The same error can be sent as JSON, a problem document or a page.
  if (!reply.hasHeader('vary')) reply.header('vary', 'Accept')
}

export const createErrorHandler =
  (format: ErrorFormat) => (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (thrown === NO_CONTENT) return reply.code(204).send()
    const known = asIdentified(toEepError(thrown, request), request)
    if (showsErrorsAsHtml(request)) {
      format.onError?.(known)
      setHeaders(known, request, reply, format)
      return sendErrorPage(known, request, reply.code(pageStatusOf(known)), format)
    }
    const { error, type, text } = writeAnyError(known, request, format.docsUrl)
    format.onError?.(error)
    setHeaders(error, request, reply, format)
    return reply.code(error.status).type(type).send(text)
  }

export const createNotFoundHandler = () => (request: FastifyRequest) => {
  // HEAD sends the content-length that GET would have.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  throw notFound({ message: `No route for ${method} on this path` })
}
