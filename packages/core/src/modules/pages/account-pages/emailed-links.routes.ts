import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { formView, hiddenHtml } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import type { HtmlView, Site } from '../../../http/html/view.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { ErrorDefinition } from '../../../kernel/errors.ts'
import { ACTION_ERRORS, type AccountService, invalidOrExpiredToken } from '../../people/accounts/index.ts'
import type { PayoutService } from '../../people/wallets/index.ts'
import { problemMessages, signInMessages } from './messages.ts'
import { tokenQuery } from './password.routes.ts'
import { refusedForm } from './read-form.ts'
import { type FormState, signInPageTexts } from './sign-in.pages.ts'

export interface EmailPages {
  readonly accounts: Pick<AccountService, 'emailChange'>
  readonly ownOrigins: ReadonlySet<string>
}

export interface PayoutUndoPage {
  readonly payouts: Pick<PayoutService, 'undo'>
  readonly ownOrigins: ReadonlySet<string>
}

type Key = Parameters<ReturnType<typeof signInMessages>>[0]

/** The texts of a page with one button. */
interface ButtonPage {
  readonly path: '/email/change' | '/email/undo' | '/payouts/undo'
  readonly title: Key
  readonly lead: Key
  readonly button: Key
  readonly done: Key
}

const CHANGE: ButtonPage = {
  path: '/email/change',
  title: 'emailChangeTitle',
  lead: 'emailChangeLead',
  button: 'emailChange',
  done: 'emailChanged',
}
const UNDO: ButtonPage = {
  path: '/email/undo',
  title: 'emailUndoTitle',
  lead: 'emailUndoLead',
  button: 'emailUndo',
  done: 'emailUndone',
}

const PAYOUT_UNDO: ButtonPage = {
  path: '/payouts/undo',
  title: 'payoutUndoTitle',
  lead: 'payoutUndoLead',
  button: 'emailUndo',
  done: 'payoutUndone',
}

const MAX_TOKEN = 256

const query = tokenQuery.extend({
  done: z.literal('yes').optional().catch(undefined).describe('Whether the change was made'),
})

function buttonView(
  site: Site,
  page: ButtonPage,
  { token, ...state }: FormState & { readonly token?: string | undefined; readonly notice?: string | undefined },
): HtmlView {
  const { say, titled } = signInPageTexts(site)
  if (token === undefined) {
    const body = html`<p><a class="btn" href="${hrefOn(site, '/dashboard')}">${say('toDashboard')}</a></p>`
    return formView({ ...titled(say(page.title)), ...state, body })
  }
  const body = html`<form method="post" action="${hrefOn(site, page.path)}">${hiddenHtml('token', token)}<p><button type="submit">${say(page.button)}</button></p></form>`
  return formView({ ...titled(say(page.title)), ...state, lead: say(page.lead), body })
}

/** Shows the page of a link, or what its button did. */
function show(request: FastifyRequest, reply: FastifyReply, page: ButtonPage, sent: z.output<typeof query>) {
  const { site } = request.eep
  if (sent.done) return sendPage(request, reply, buttonView(site, page, { notice: signInMessages(site)(page.done) }))
  if (sent.token) return sendPage(request, reply, buttonView(site, page, { token: sent.token }))
  return sendPage(request, reply, buttonView(site, page, { problem: problemMessages(site)('missingToken') }), 400)
}

/** Does what the button of a page is for. */
async function act(request: FastifyRequest, reply: FastifyReply, page: ButtonPage, run: () => Promise<void>) {
  const { site, limited } = request.eep
  try {
    if (limited) throw limited
    await run()
  } catch (error) {
    const { answer, ...state } = refusedForm(site, error)
    return sendPage(request, reply, buttonView(site, page, state), answer)
  }
  return goTo(request, reply, `${page.path}?done=yes`)
}

/** Adds a page that undoes a change: opening it changes nothing, its button does. */
function undoPage(
  app: EepRoutes,
  ownOrigins: ReadonlySet<string>,
  page: ButtonPage,
  {
    run,
    ...route
  }: Record<'getId' | 'submitId' | 'getSummary' | 'submitSummary', string> & {
    readonly errors: readonly ErrorDefinition[]
    run(token: string): Promise<void>
  },
): void {
  app.get(
    page.path,
    {
      config: pageConfig({
        operationId: route.getId,
        summary: route.getSummary,
        errors: [invalidOrExpiredToken],
        secrets: ['token'],
      }),
      schema: { querystring: query, response: { 200: z.string() } },
    },
    async (request, reply) => show(request, reply, page, request.query),
  )
  createForms(app, ownOrigins).form(
    {
      path: page.path,
      limit: 'auth',
      operationId: route.submitId,
      errors: route.errors,
      summary: route.submitSummary,
    },
    async (request, reply, { token = '' }) => act(request, reply, page, () => run(token.slice(0, MAX_TOKEN))),
  )
}

/** The pages that the emails about a changed email address link to. Opening a link changes nothing; its button does. */
export function emailPages(app: EepRoutes, { accounts: { emailChange }, ownOrigins }: EmailPages): void {
  const { form } = createForms(app, ownOrigins)

  app.get(
    CHANGE.path,
    {
      config: pageConfig({
        operationId: 'getEmailChangePage',
        summary: 'Get the page that confirms a new email address in a session; it does not consume the link',
        errors: [invalidOrExpiredToken],
        secrets: ['token'],
      }),
      schema: { querystring: query, response: { 200: z.string() } },
    },
    async (request, reply) =>
      visitorOf(request) ? show(request, reply, CHANGE, request.query) : goToSignIn(request, reply),
  )
  form(
    {
      path: CHANGE.path,
      limit: 'auth',
      operationId: 'submitEmailChangePage',
      errors: ACTION_ERRORS.confirmEmailChange,
      summary: 'Confirm a new email address with an emailed token in a session (HTML form)',
    },
    async (request, reply, { token = '' }) => {
      const caller = visitorOf(request)
      const text = token.slice(0, MAX_TOKEN)
      if (!caller) return goToSignIn(request, reply, `${CHANGE.path}?token=${encodeURIComponent(text)}`)
      return act(request, reply, CHANGE, () => emailChange.confirm(caller, text))
    },
  )

  undoPage(app, ownOrigins, UNDO, {
    getId: 'getEmailUndoPage',
    getSummary: 'Get the page that undoes a change of the email address; it does not consume the link',
    submitId: 'submitEmailUndoPage',
    submitSummary: 'Restore the former email address with an emailed token (HTML form)',
    errors: ACTION_ERRORS.confirmEmailChange,
    run: emailChange.undo,
  })
}

/** The page that the emails about a changed payout wallet link to. Opening a link changes nothing; its button does. */
export function payoutUndoPage(app: EepRoutes, { payouts, ownOrigins }: PayoutUndoPage): void {
  undoPage(app, ownOrigins, PAYOUT_UNDO, {
    getId: 'getPayoutUndoPage',
    getSummary: 'Get the page that undoes a change of the payout wallet; it does not consume the link',
    submitId: 'submitPayoutUndoPage',
    submitSummary: 'Restore the former payout wallets with an emailed token (HTML form)',
    errors: [invalidOrExpiredToken],
    run: payouts.undo,
  })
}
