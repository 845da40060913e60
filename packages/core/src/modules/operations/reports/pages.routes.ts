import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { backOf, createForms, type FormTexts } from '../../../http/html/account-forms.ts'
import { formRoutes, sendPage } from '../../../http/html/html-forms.ts'
import { refusedText, type TextForm, textFormView } from '../../../http/html/text-form.ts'
import type { Site } from '../../../http/html/view.ts'
import { say } from '../../../http/html/viewer.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import { notProfileOwner, profileNotFound } from '../../profiles/profiles/index.ts'
import { type FeedService, postNotFound, postParams } from '../../publishing/feed/index.ts'
import { conversationClosed, conversationNotFound, type MessageService, messageId } from '../../trade/messages/index.ts'
import { NEW_REPORT } from './button-html.ts'
import { cannotReportItself, tooManyReports } from './errors.ts'
import { reportMessages } from './messages.ts'
import { MAX_REASON_LENGTH, postReportBody } from './schemas.ts'
import type { ReportService } from './service.ts'

export interface ReportPageServices {
  readonly reports: Pick<ReportService, 'reportPost' | 'reportConversation'>
  /** Undefined while the module is off; then it has nothing to report. */
  readonly messages?: MessageService | undefined
  readonly feed?: FeedService | undefined
}

/** The reported post or conversation. */
type Reported =
  | { readonly kind: 'post'; readonly id: number; readonly feed: FeedService }
  | { readonly kind: 'conversation'; readonly id: string; readonly messages: MessageService }

/** What people can act on, by the code of the error. */
function problemsOf(site: Site): ReadonlyMap<string, string> {
  const say = reportMessages(site)
  return new Map([
    [cannotReportItself.code, say('itself')],
    [conversationClosed.code, say('gone')],
    [postNotFound.code, say('gone')],
    [conversationNotFound.code, say('gone')],
    [tooManyReports.code, say('tooMany')],
  ])
}

const query = z.object({
  post: z.string().max(20).optional().describe('The id of a post'),
  conversation: z.string().max(64).optional().describe('The id of a conversation'),
  next: z.string().max(512).optional().catch(undefined).describe('The page to go to afterwards'),
})

const pathOf = ({ kind, id }: Reported) => `${NEW_REPORT}?${kind}=${id}`
const defaultNext = (reported: Reported) =>
  reported.kind === 'post' ? postPath(reported.id) : `/messages/threads/${reported.id}`

/** The page that reports posts and conversations to administrators. */
export function reportPages(
  app: EepRoutes,
  { reports, messages, feed }: ReportPageServices,
  ownOrigins: ReadonlySet<string>,
): void {
  /** @throws `not_found` when nothing is named that can be reported */
  function reportedBy({ post, conversation }: Readonly<Record<string, string | undefined>>): Reported {
    const { data: named } = postParams.safeParse({ id: post })
    if (named && feed) return { kind: 'post', id: named.id, feed }
    const { data: id } = messageId.safeParse(conversation)
    if (id !== undefined && messages) return { kind: 'conversation', id, messages }
    throw notFound()
  }

  function view(site: Site, reported: Reported, next: string, entered: Pick<TextForm, 'value' | 'formId' | 'problem'>) {
    const say = reportMessages(site)
    const form: TextForm = {
      ...entered,
      path: NEW_REPORT,
      label: say('reason'),
      button: say('send'),
      maxLength: 2 * MAX_REASON_LENGTH,
      hidden: { [reported.kind]: String(reported.id), next },
    }
    return textFormView(site, say(reported.kind === 'post' ? 'titlePost' : 'titleConversation'), form, say('lead'))
  }

  const send = (reported: Reported, reason: string, caller: Caller) =>
    reported.kind === 'post'
      ? reports.reportPost(reported.feed, reported.id, reason, caller)
      : reports.reportConversation(reported.messages, reported.id, { reason }, { caller })

  async function submit(request: FastifyRequest, reply: FastifyReply, caller: Caller, texts: FormTexts) {
    const { site } = request.eep
    const { body = '', form_id: formId } = texts
    const reported = reportedBy(texts)
    const next = texts.next === undefined ? defaultNext(reported) : backOf(texts)
    const sent = postReportBody.safeParse({ reason: body.replaceAll('\r\n', '\n') })
    if (!sent.success) {
      const problem = reportMessages(site)('wrongText')
      return sendPage(request, reply, view(site, reported, next, { value: body, formId, problem }), 400)
    }
    try {
      await send(reported, sent.data.reason, caller)
    } catch (error) {
      const { problem, answer } = refusedText(site, error, problemsOf(site))
      return sendPage(request, reply, view(site, reported, next, { value: body, formId, problem }), answer)
    }
    say(request, reply, { action: 'post-report', id: reported.kind === 'post' ? reported.id : 0, outcome: 'sent' })
    return goTo(request, reply, next)
  }

  app.get(
    NEW_REPORT,
    {
      config: pageConfig({
        operationId: 'getReportPage',
        summary: 'Get the page that reports a post or a conversation',
        errors: [notFound],
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const reported = reportedBy(request.query)
      const next = request.query.next === undefined ? defaultNext(reported) : backOf(request.query as FormTexts)
      if (!visitorOf(request)) return goToSignIn(request, reply)
      return sendPage(request, reply, view(request.eep.site, reported, next, {}))
    },
  )

  formRoutes(app, (scope) => {
    createForms(scope, ownOrigins).accountForm(
      {
        path: NEW_REPORT,
        page: (texts) => pathOf(reportedBy(texts)),
        hasFormId: true,
        operationId: 'submitReport',
        summary: 'Report a post or a conversation (HTML form)',
        errors: [
          notFound,
          cannotReportItself,
          tooManyReports,
          conversationClosed,
          conversationNotFound,
          postNotFound,
          notProfileOwner,
          profileNotFound,
        ],
      },
      (request, reply, { caller, texts }) => submit(request, reply, caller, texts),
    )
  })
}
