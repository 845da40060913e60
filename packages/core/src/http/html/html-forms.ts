import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type EepError, validationFailed } from '../../kernel/errors.ts'
import { MEDIA_TYPES } from '../documents/negotiation.ts'
import { headersOf } from '../pipeline/error-headers.ts'
import { csrf, isForeign } from '../pipeline/identify.ts'
import type { EepRoutes } from '../routes.ts'
import { keepLanguage, queryOfPage } from './chosen-language.ts'
import { writePage } from './page.ts'
import type { HtmlView } from './view.ts'
import { siteOfViewer } from './viewer.ts'

const MAX_FORM_BYTES = 65_536
/** More than the largest list of boxes that a page has. */
const MAX_FIELDS = 2_000

/** Whether an encoded form has more fields than any page. */
function hasTooManyFields(form: string): boolean {
  let fields = 1
  for (let at = form.indexOf('&'); at >= 0 && fields <= MAX_FIELDS; at = form.indexOf('&', at + 1)) fields += 1
  return fields > MAX_FIELDS
}

/** How the bodies of forms are read. */
export interface FormBodies {
  /** Default: 65,536. */
  readonly maxBytes?: number | undefined
  /** Returns the body of the request. Default: a record of texts, in which the last one of a name counts. */
  readonly read?: ((sent: URLSearchParams) => object) | undefined
}

/** Adds routes whose bodies are forms of our pages, as records of texts. */
export function formRoutes(
  app: EepRoutes,
  addRoutes: (scope: EepRoutes, instance: FastifyInstance) => void,
  { maxBytes = MAX_FORM_BYTES, read = Object.fromEntries }: FormBodies = {},
): void {
  app.scope((routes, instance) => {
    instance.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBytes },
      (_request, body, done) => {
        const text = String(body)
        if (hasTooManyFields(text)) done(validationFailed({ message: 'body: Too many fields' }))
        else done(null, read(new URLSearchParams(text)))
      },
    )
    addRoutes(routes, instance)
  })
}

/**
 * Rejects a form that a page of another site sent, or whose sender is unknown. Browsers always name the origin of a form.
 *
 * @throws `csrf` (403); `rate_limited` over the limit
 */
export function requireOwnForm(request: FastifyRequest, ownOrigins: ReadonlySet<string>): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if ((origin === undefined && site !== 'same-origin') || isForeign(request, ownOrigins)) {
    throw request.eep.limited ?? csrf()
  }
}

/**
 * Refuses a form over the rate limit, on routes with `keepsForm`.
 *
 * @throws `rate_limited`
 */
export function requireWithinLimit({ eep: { limited } }: FastifyRequest): void {
  if (limited) throw limited
}

/** The status of a page, and the error that it shows. */
export interface PageAnswer {
  readonly status: number
  readonly error?: EepError | undefined
}

/** Sends a page for one visitor: it is never cached, indexed or named to other sites. Default: with status 200. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  view: HtmlView,
  answer: number | PageAnswer = 200,
) {
  const { status, error }: PageAnswer = typeof answer === 'number' ? { status: answer } : answer
  const { markup, headers } = await writePage({ hasForm: true, ...view }, await siteOfViewer(request, reply), {
    alternates: [],
    query: queryOfPage(request),
  })
  keepLanguage(request, reply)
  reply.headers({
    ...(error && headersOf(error)),
    ...headers,
    'cache-control': 'private, no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
    vary: 'Accept, Accept-Language, Cookie',
  })
  return reply.code(status).type(MEDIA_TYPES.html).send(markup)
}
