import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { formView, hiddenHtml, type PageState } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { withNext } from '../../../http/html/sign-in-path.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { type ErrorDefinition, isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { dayText } from '../../../model/day-text.ts'
import { invitationNotFound } from '../../people/teams/index.ts'
import { membershipMessages } from './messages.ts'
import { signInPageTexts } from './sign-in.pages.ts'

/** An open invitation, with what the invited person must know. */
export interface ShownInvitation {
  /** The token of the email, or the id for the account that it is for. */
  readonly token: string
  /** The team or the workspace. */
  readonly name: string
  readonly role: 'admin' | 'editor' | 'viewer' | 'reader'
  readonly inviter: string
  readonly expiresAt: Date
}

/** The invitations of one kind. */
export interface InvitationKind {
  readonly kind: 'team' | 'workspace'
  readonly path: '/team/invite' | '/workspaces/invite'
  /** Why an answer may be refused. */
  readonly errors: readonly ErrorDefinition[]
  /** The invitation of a token; undefined when there is none for the visitor. */
  find(token: string, caller: Caller | undefined): Promise<ShownInvitation | undefined>
  /** The open invitations of the caller. */
  list(caller: Caller): Promise<readonly ShownInvitation[]>
  accept(token: string, caller: Caller): Promise<unknown>
  reject(token: string, caller: Caller): Promise<unknown>
}

const PROBLEMS = {
  invitation_not_found: 'invitationNotFound',
  invitation_not_yours: 'invitationNotYours',
  email_not_confirmed: 'emailNotConfirmed',
  already_member: 'alreadyMember',
  already_workspace_member: 'alreadyMember',
} as const

const isKnown = (code: string): code is keyof typeof PROBLEMS => Object.hasOwn(PROBLEMS, code)

const MAX_TOKEN = 256

const query = z.object({
  token: z.string().max(MAX_TOKEN).optional().catch(undefined).describe('The token of the link in the email'),
})

interface InvitationPage extends PageState {
  readonly invitations: readonly ShownInvitation[]
  readonly isSignedIn: boolean
}

function view(
  site: Site,
  { kind, path }: InvitationKind,
  { invitations, isSignedIn, ...state }: InvitationPage,
): HtmlView {
  const say = membershipMessages(site)
  const answers = (token: string): Html =>
    html`<form method="post" action="${hrefOn(site, path)}">${hiddenHtml('token', token)}<p class="acts"><button type="submit" name="answer" value="accept">${say('accept')}</button><button class="second" type="submit" name="answer" value="decline">${say('decline')}</button></p></form>`
  const entries = (token: string): Html => {
    const next = `${path}?token=${encodeURIComponent(token)}`
    return html`<p>${say('signInFirst')}</p><p class="acts"><a class="btn" href="${hrefOn(site, withNext('/login', next))}">${say('signIn')}</a><a class="btn second" href="${hrefOn(site, withNext('/register', next))}">${say('register')}</a></p>`
  }
  const one = ({
    token,
    name,
    role,
    inviter,
    expiresAt,
  }: ShownInvitation) => html`<div class="offer"><p>${say(kind, { inviter, name })}</p>
<p>${say('role', { role: say(role), date: dayText(site, expiresAt) })}</p>
${isSignedIn ? answers(token) : entries(token)}</div>\n`
  return formView({
    ...signInPageTexts(site).titled(say(kind === 'team' ? 'teamTitle' : 'workspaceTitle')),
    ...state,
    body:
      invitations.length === 0 && state.problem === undefined
        ? html`<p>${say('noInvitations')}</p>`
        : html`${invitations.map(one)}`,
  })
}

/** Routes of the page that shows invitations of one kind and takes their answers. */
export function invitationPages(app: EepRoutes, kind: InvitationKind, ownOrigins: ReadonlySet<string>): void {
  const { form } = createForms(app, ownOrigins)

  const { path } = kind
  const operation = kind.kind === 'team' ? 'TeamInvitationPage' : 'WorkspaceInvitationPage'

  async function send(request: FastifyRequest, reply: FastifyReply, page: InvitationPage, status = 200) {
    return sendPage(request, reply, view(request.eep.site, kind, page), status)
  }

  app.get(
    path,
    {
      config: pageConfig({
        operationId: `get${operation}`,
        summary: `Get the page of an invitation to a ${kind.kind}, or of all open ones of the caller`,
        errors: [invitationNotFound],
        secrets: ['token'],
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      const { token } = request.query
      const isSignedIn = caller !== undefined
      if (!token) {
        if (!caller) return goToSignIn(request, reply)
        return send(request, reply, { invitations: await kind.list(caller), isSignedIn })
      }
      const found = await kind.find(token, caller)
      if (found) return send(request, reply, { invitations: [found], isSignedIn })
      // The link of a notification has an id, which shows an invitation to its account only.
      if (!caller && /^\d+$/.test(token)) return goToSignIn(request, reply)
      const problem = membershipMessages(request.eep.site)('invitationNotFound')
      return send(request, reply, { invitations: [], isSignedIn, problem }, 404)
    },
  )

  form(
    {
      path,
      operationId: `submit${operation}`,
      errors: kind.errors,
      summary: `Accept or decline an invitation to a ${kind.kind} (HTML form)`,
    },
    async (request, reply, texts) => {
      const caller = visitorOf(request)
      const token = (texts.token ?? '').slice(0, MAX_TOKEN)
      if (!caller) return goToSignIn(request, reply, `${path}?token=${encodeURIComponent(token)}`)
      try {
        const accepts = texts.answer === 'accept'
        await (accepts ? kind.accept(token, caller) : kind.reject(token, caller))
        return goTo(request, reply, `/dashboard?done=${accepts ? 'joined' : 'declined'}`)
      } catch (error) {
        if (!isEepError(error) || !isKnown(error.code)) throw error
        const problem = membershipMessages(request.eep.site)(PROBLEMS[error.code])
        return send(request, reply, { invitations: [], isSignedIn: true, problem }, error.status)
      }
    },
  )
}
