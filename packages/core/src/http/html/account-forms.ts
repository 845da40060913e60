import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { internalPath } from '../../kernel/internal-path.ts'
import type { Caller } from '../../model/caller.ts'
import { FORM_ID, formAlreadySent, idempotencyInFlight } from '../idempotency/send-once.ts'
import { csrf } from '../pipeline/identify.ts'
import type { EepRoutes, RouteConfig } from '../routes.ts'
import { hiddenHtml, textsOf } from './form-view.ts'
import { requireOwnForm, requireWithinLimit } from './html-forms.ts'
import { goToSignIn, pageConfig, visitorOf } from './visits.ts'

/** An HTML form: where it is sent, and how its route is described. */
export interface FormRoute
  extends Pick<RouteConfig, 'operationId' | 'summary' | 'limit' | 'errors' | 'hasFormId' | 'actions' | 'recent'> {
  readonly path: string
  /** Whether its page shows again what was entered, also over the rate limit. Default: for the group `auth`. */
  readonly keepsForm?: boolean | undefined
  /** The parameters of the path. Default: none are described. */
  readonly params?: z.ZodObject | undefined
  /** The largest form, in bytes. Default: 1 MiB, or less by the scope. */
  readonly maxBytes?: number | undefined
  /** Whether it may answer with another page in place of a redirect. Default: false. */
  readonly sendsPage?: boolean | undefined
}

/** The texts of a form by the names of its inputs. */
export type FormTexts = ReturnType<typeof textsOf>

/** A form that is processed only soon after a proof of the person. */
export interface ProvedForm {
  readonly caller: Caller
  readonly texts: Readonly<Record<string, string | readonly string[]>>
  /** Where it is sent, below the prefix of the listener. */
  readonly path: string
}

/**
 * Returns the caller of a form who proved lately, or with the form, to own the account. Otherwise sends a page that asks for the proof, and
 * that keeps what was entered, and returns undefined: then the form must not be processed.
 */
export type AskAgain = (request: FastifyRequest, reply: FastifyReply, form: ProvedForm) => Promise<Caller | undefined>

/** A form that only accounts send. */
export interface AccountFormRoute extends FormRoute {
  /** The page of the form, to which signed-out visitors come back after signing in. */
  readonly page: string | ((texts: FormTexts) => string)
  /** Which forms are processed only soon after a proof of the person. Default: none. */
  readonly isProved?: { readonly askAgain: AskAgain; when?(texts: FormTexts): boolean } | undefined
}

type Submitted = (request: FastifyRequest, reply: FastifyReply, texts: FormTexts) => Promise<FastifyReply>
type SubmittedByAccount = (
  request: FastifyRequest,
  reply: FastifyReply,
  sent: { readonly caller: Caller; readonly texts: FormTexts },
) => Promise<FastifyReply>

const LEAVING = { 303: z.undefined() }

/** Returns functions that add routes of forms. A form that a page of another site sent is refused before it is read. */
export function createForms(app: EepRoutes, ownOrigins: ReadonlySet<string>) {
  /** Adds a form that anyone may send. */
  function form(
    { path, sendsPage = false, errors = [], keepsForm, params, maxBytes, ...route }: FormRoute,
    submit: Submitted,
  ): void {
    const ofSending = route.hasFormId ? [formAlreadySent, idempotencyInFlight] : []
    app.post(
      path,
      {
        config: pageConfig({
          ...route,
          errors: [csrf, ...ofSending, ...errors],
          keepsForm: keepsForm ?? route.limit === 'auth',
        }),
        ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
        schema: { ...(params && { params }), response: sendsPage ? { 200: z.string(), ...LEAVING } : LEAVING },
      },
      async (request, reply) => {
        requireOwnForm(request, ownOrigins)
        return submit(request, reply, textsOf(request.body))
      },
    )
  }

  /** Adds a form that only accounts may send. Signed-out visitors are sent to the sign-in page. */
  function accountForm({ page, isProved, ...route }: AccountFormRoute, submit: SubmittedByAccount): void {
    const recent = isProved ? ({ recent: 'in_page', sendsPage: true, keepsForm: true } as const) : {}
    // Otherwise the handler shows the refusal itself.
    const isLimitedHere = !(route.keepsForm ?? route.limit === 'auth')
    form({ ...route, ...recent }, async (request, reply, texts) => {
      const caller = visitorOf(request)
      if (caller && isProved && (isProved.when?.(texts) ?? true)) {
        const proved = await isProved.askAgain(request, reply, { caller, texts, path: route.path })
        if (!proved) return reply
        if (isLimitedHere) requireWithinLimit(request)
        return submit(request, reply, { caller: proved, texts })
      }
      if (!caller || isLimitedHere) requireWithinLimit(request)
      if (caller) return submit(request, reply, { caller, texts })
      return goToSignIn(request, reply, typeof page === 'string' ? page : page(texts))
    })
  }

  return { form, accountForm }
}

/** The path that a form leads back to. Default: the start page. */
export const backOf = ({ next }: FormTexts): string => internalPath(next) ?? '/'

/** Writes the id of a form with which it is sent once. A refused form keeps its id. */
export const formIdHtml = (formId: string = randomUUID()) => hiddenHtml(FORM_ID, formId)
