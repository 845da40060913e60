import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AskAgain, createForms } from '../../../http/html/account-forms.ts'
import { formView, hiddenHtml, type PageState } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import { dayText } from '../../../model/day-text.ts'
import type { NamedTransfer } from '../../../ports/storage/teams.ts'
import { TRANSFER_ANSWER_ERRORS } from '../../people/teams/index.ts'
import { membershipMessages } from './messages.ts'
import { signInPageTexts } from './sign-in.pages.ts'

/** The page of transfers. `/transfers` is the JSON list, which sends browsers here. */
const TRANSFERS_PAGE = '/account/transfers'

const MAX_SHOWN = 100
const NUMBER = /^[1-9]\d{0,14}$/

/** The transfers of accounts. */
export interface Transfers {
  list(caller: Caller, page: PageRequest): Promise<Page<NamedTransfer>>
  accept(id: number, caller: Caller): Promise<unknown>
  reject(id: number, caller: Caller): Promise<unknown>
  cancel(id: number, caller: Caller): Promise<unknown>
}

const PROBLEMS = {
  transfer_not_found: 'transferOver',
  transfer_not_pending: 'transferOver',
  transfer_not_yours: 'transferNotYours',
} as const

const isKnown = (code: string): code is keyof typeof PROBLEMS => Object.hasOwn(PROBLEMS, code)

const ANSWERS = { accept: 'accepted', reject: 'declined', cancel: 'cancelled' } as const
const isAnswer = (text: string | undefined): text is keyof typeof ANSWERS =>
  text !== undefined && Object.hasOwn(ANSWERS, text)

function view(site: Site, transfers: readonly NamedTransfer[], accountId: string, state: PageState): HtmlView {
  const say = membershipMessages(site)
  const button = (answer: keyof typeof ANSWERS, label: string, kind = '') =>
    html`<button class="${kind}" type="submit" name="answer" value="${answer}">${label}</button>`
  const one = ({ id, profile, fromUsername, toUsername, toAccountId, expiresAt }: NamedTransfer) => {
    const isIncoming = toAccountId === accountId
    const names = { from: fromUsername, to: toUsername, name: profile?.username ?? '…' }
    return html`<div class="offer"><p>${say(isIncoming ? 'incoming' : 'outgoing', names)}</p>
<p>${say('validUntil', { date: dayText(site, expiresAt) })}</p>
<form method="post" action="${hrefOn(site, TRANSFERS_PAGE)}">${hiddenHtml('id', String(id))}<p class="acts">${isIncoming ? [button('accept', say('accept')), button('reject', say('decline'), 'plain')] : button('cancel', say('cancel'), 'plain')}</p></form></div>\n`
  }
  return formView({
    ...signInPageTexts(site).titled(say('transferTitle')),
    ...state,
    body: transfers.length === 0 ? html`<p>${say('noTransfers')}</p>` : html`${transfers.map(one)}`,
  })
}

interface TransferPages {
  readonly transfers: Transfers
  readonly askAgain: AskAgain
  readonly ownOrigins: ReadonlySet<string>
}

/** Routes of the page that shows pending transfers and takes their answers. */
export function transferPages(app: EepRoutes, { transfers, askAgain, ownOrigins }: TransferPages): void {
  const { accountForm } = createForms(app, ownOrigins)

  async function send(request: FastifyRequest, reply: FastifyReply, caller: Caller, state: PageState, status = 200) {
    const { items } = await transfers.list(caller, { limit: MAX_SHOWN })
    const pending = items.filter((transfer) => transfer.state === 'pending')
    return sendPage(request, reply, view(request.eep.site, pending, caller.account.id, state), status)
  }

  app.get(
    TRANSFERS_PAGE,
    {
      config: pageConfig({ operationId: 'getTransfersPage', summary: 'Get the page of the pending transfers' }),
      schema: { response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      return caller ? send(request, reply, caller, {}) : goToSignIn(request, reply)
    },
  )

  accountForm(
    {
      path: TRANSFERS_PAGE,
      page: TRANSFERS_PAGE,
      isProved: { askAgain, when: ({ answer }) => answer === 'accept' },
      operationId: 'submitTransfersPage',
      errors: TRANSFER_ANSWER_ERRORS,
      summary: 'Accept or decline a transfer, or cancel it (HTML form)',
    },
    async (request, reply, { caller, texts: { id = '', answer } }) => {
      const say = membershipMessages(request.eep.site)
      if (!NUMBER.test(id) || !isAnswer(answer))
        return send(request, reply, caller, { problem: say('transferOver') }, 404)
      try {
        await transfers[answer](Number(id), caller)
        return goTo(request, reply, `/dashboard?done=${ANSWERS[answer]}`)
      } catch (error) {
        if (!isEepError(error) || !isKnown(error.code)) throw error
        return send(request, reply, caller, { problem: say(PROBLEMS[error.code]) }, error.status)
      }
    },
  )
}
