import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { backOf, createForms, type FormTexts } from '../../../http/html/account-forms.ts'
import { formRoutes, type PageAnswer, sendPage } from '../../../http/html/html-forms.ts'
import { refusedText } from '../../../http/html/text-form.ts'
import type { Site } from '../../../http/html/view.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import {
  notProfileOwner,
  type ProfileService,
  profileNotFound,
  profilePath,
  typeOf,
} from '../../profiles/profiles/index.ts'
import { NEW_MESSAGE } from './button-html.ts'
import {
  blocked,
  cannotMessageItself,
  conversationClosed,
  conversationNotFound,
  linksNotAllowed,
  lowTrust,
  notContactable,
  tooManyConversations,
  tooManyMessages,
} from './errors.ts'
import { messagePageMessages } from './messages.ts'
import { INBOX, inboxView, newMessageView, threadPath, threadView } from './pages-html.ts'
import { clientId, id as conversationId, conversationParams, messageBody } from './schemas.ts'
import type { MessageService } from './service.ts'

export interface MessagePageServices {
  readonly messages: Pick<MessageService, 'open' | 'send' | 'list' | 'listMessages' | 'markRead'>
  readonly profiles: Pick<ProfileService, 'find'>
}

const REFUSALS = [
  blocked,
  cannotMessageItself,
  conversationClosed,
  linksNotAllowed,
  lowTrust,
  notContactable,
  tooManyConversations,
  tooManyMessages,
]

/** What people can act on, or at least understand, by the code of the error. */
function problemsOf(site: Site): ReadonlyMap<string, string> {
  const say = messagePageMessages(site)
  return new Map([
    [blocked.code, say('blocked')],
    [cannotMessageItself.code, say('itself')],
    [conversationClosed.code, say('closed')],
    [linksNotAllowed.code, say('links')],
    [lowTrust.code, say('lowTrust')],
    [notContactable.code, say('notContactable')],
    [tooManyConversations.code, say('tooMany')],
    [tooManyMessages.code, say('tooMany')],
  ])
}

const MESSAGES_PER_PAGE = 50
const CONVERSATIONS_PER_PAGE = 30
const MAX_SUBJECT = 200

const listQuery = z.object({ cursor: z.string().max(512).optional() })
const newQuery = z.object({
  to: z.string().max(80).describe('The address of a profile, `u/ada`'),
  about: z.string().max(MAX_SUBJECT).optional().catch(undefined).describe('What the message is about'),
  next: z.string().max(512).optional().catch(undefined).describe('The page to go to afterwards. Default: the profile'),
})

/** Where a message to an address goes back to, and its page. */
const newPath = (to: string) => `${NEW_MESSAGE}?${new URLSearchParams({ to })}`

/** The id of a form, which becomes that of its message. Undefined when it is malformed; the message then counts as a new one. */
const idOf = (formId: string | undefined) => clientId.safeParse(formId).data

/** The pages on which people write to profiles and read their conversations. */
export function messagePages(
  app: EepRoutes,
  { messages, profiles }: MessagePageServices,
  ownOrigins: ReadonlySet<string>,
): void {
  async function recipientAt(to: string, caller: Caller) {
    const [prefix = '', username = ''] = to.split('/')
    const type = typeOf(prefix)
    const profile = await profiles.find(type, username, caller)
    return { target: { type, username }, profile }
  }

  async function open(request: FastifyRequest, reply: FastifyReply, caller: Caller, texts: FormTexts) {
    const { site } = request.eep
    const { to = '', body = '', form_id: formId } = texts
    const { target, profile } = await recipientAt(to, caller)
    const next = texts.next === undefined ? profilePath(profile) : backOf(texts)
    const show = (problem: string, answer: number | PageAnswer) =>
      sendPage(
        request,
        reply,
        newMessageView(site, { to, recipient: profile, next }, { value: body, formId, problem }),
        answer,
      )
    const sent = messageBody.safeParse({ body: body.replaceAll('\r\n', '\n') })
    if (!sent.success) return show(messagePageMessages(site)('wrongText'), 400)
    try {
      await messages.open(target, { body: sent.data.body, clientId: idOf(formId) }, { caller })
    } catch (error) {
      const { problem, answer } = refusedText(site, error, problemsOf(site))
      return show(problem, answer)
    }
    say(request, reply, { action: 'message', id: profile.id, outcome: 'sent' })
    return goTo(request, reply, next)
  }

  async function showThread(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, id, cursor }: { readonly caller: Caller; readonly id: string; readonly cursor?: string | undefined },
    entered: Parameters<typeof threadView>[2] = {},
    answer?: number | PageAnswer,
  ) {
    const thread = await messages.listMessages(id, { order: 'desc', limit: MESSAGES_PER_PAGE, cursor }, { caller })
    const [newest] = thread.page.items
    if (newest && cursor === undefined && thread.listed.unread > 0) await messages.markRead(id, newest.id, { caller })
    return sendPage(request, reply, threadView(request.eep.site, thread, entered), answer)
  }

  app.get(
    NEW_MESSAGE,
    {
      config: pageConfig({
        operationId: 'getNewMessagePage',
        summary: 'Get the page to write to a profile',
        errors: [profileNotFound],
      }),
      schema: { querystring: newQuery, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { to, about, next } = request.query
      const { profile } = await recipientAt(to, caller)
      const { site } = request.eep
      const value =
        about === undefined ? undefined : `${messagePageMessages(site, String)('about', { title: about })}\n\n`
      const back = next === undefined ? profilePath(profile) : backOf({ next })
      return sendPage(request, reply, newMessageView(site, { to, recipient: profile, next: back }, { value }))
    },
  )

  app.get(
    INBOX,
    {
      config: pageConfig({
        operationId: 'getMessagesPage',
        summary: 'Get the page with the conversations of the caller',
        errors: [profileNotFound],
      }),
      schema: { querystring: listQuery, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const asked = { limit: CONVERSATIONS_PER_PAGE, cursor: request.query.cursor }
      const { page } = await messages.list(asked, { caller })
      return sendPage(request, reply, inboxView(request.eep.site, page))
    },
  )

  app.get(
    `${INBOX}/threads/:id`,
    {
      config: pageConfig({
        operationId: 'getConversationPage',
        summary: 'Get the page with a conversation of the caller',
        errors: [conversationNotFound, profileNotFound, notProfileOwner],
      }),
      schema: {
        params: conversationParams,
        querystring: listQuery,
        response: { 200: z.string(), 303: z.undefined() },
      },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      return showThread(request, reply, { caller, id: request.params.id, cursor: request.query.cursor })
    },
  )

  formRoutes(app, (scope) => {
    const { accountForm } = createForms(scope, ownOrigins)

    accountForm(
      {
        path: NEW_MESSAGE,
        page: ({ to = '' }) => newPath(to),
        hasFormId: true,
        operationId: 'submitNewMessage',
        summary: 'Send a message to a profile (HTML form)',
        errors: [...REFUSALS, profileNotFound, notProfileOwner],
      },
      (request, reply, { caller, texts }) => open(request, reply, caller, texts),
    )

    accountForm(
      {
        path: `${INBOX}/threads/:id`,
        page: () => INBOX,
        hasFormId: true,
        operationId: 'submitMessage',
        summary: 'Send a message in a conversation (HTML form)',
        errors: [...REFUSALS, conversationNotFound, notProfileOwner],
      },
      async (request, reply, { caller, texts: { body = '', form_id: formId } }) => {
        const { site } = request.eep
        const { data: id } = conversationId.safeParse((request.params as { readonly id?: unknown }).id)
        if (id === undefined) throw conversationNotFound()
        const sent = messageBody.safeParse({ body: body.replaceAll('\r\n', '\n') })
        const entered = { value: body, formId }
        if (!sent.success) {
          const problem = messagePageMessages(site)('wrongText')
          return showThread(request, reply, { caller, id }, { ...entered, problem }, 400)
        }
        try {
          await messages.send(id, { body: sent.data.body, clientId: idOf(formId) }, { caller })
        } catch (error) {
          const { problem, answer } = refusedText(site, error, problemsOf(site))
          return showThread(request, reply, { caller, id }, { ...entered, problem }, answer)
        }
        say(request, reply, { action: 'message', id: 0, outcome: 'sent' })
        return goTo(request, reply, threadPath(id))
      },
    )
  })
}
