import { z } from 'zod'
import { pageOfNotification } from '../../../framework/module/define-notification.ts'
import { listQuery } from '../../../http/documents/lists.ts'
import { createForms } from '../../../http/html/account-forms.ts'
import { formView, hiddenHtml, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { internalPath } from '../../../kernel/internal-path.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { dayText } from '../../../model/day-text.ts'
import type { NotificationPage, NotificationService, WrittenNotification } from '../../events/notifications/index.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import { planMessages } from './messages.ts'

/** The page of notifications. `/notifications` is the JSON list, which sends browsers here. */
const NOTIFICATIONS_PATH = '/account/notifications'

const MAX_ID = 128

const partQuery = listQuery.pick({ cursor: true }).extend({ unread: z.enum(['true', 'false']).optional() })

const NONE: NotificationPage = { items: [], unread: 0, total: 0 }

/** What the page lists. */
interface Shown {
  readonly cursor?: string | undefined
  /** Whether it lists only what is unread. */
  readonly unread: boolean
}

/** The path of the page with a part of the list. */
function pathOf({ cursor, unread }: Shown): string {
  const query = new URLSearchParams({ ...(unread && { unread: 'true' }), ...(cursor !== undefined && { cursor }) })
  return query.size === 0 ? NOTIFICATIONS_PATH : `${NOTIFICATIONS_PATH}?${query}`
}

/** Writes a button that marks notifications as read. */
const readButtonHtml = (site: Site, shown: Shown, label: string | Html, id?: string) =>
  html`<form method="post" action="${hrefOn(site, NOTIFICATIONS_PATH)}">${hiddenHtml('id', id)}${hiddenHtml('next', pathOf(shown))}<button class="second" type="submit">${label}</button></form>\n`

function oneHtml(site: Site, shown: Shown, { id, text, updatedAt, readAt }: WrittenNotification) {
  const say = planMessages(site)
  const target = pageOfNotification(text)
  const label = html`${say('markOneRead')}<span class="sr-only">: ${text.title}</span>`
  return html`<li><p>${target === undefined ? text.title : html`<a href="${hrefOn(site, target)}">${text.title}</a>`}${readAt === null && html` <span class="price">${say('unread')}</span>`}</p>
${(text.body ?? []).map((paragraph) => html`<p>${paragraph}</p>\n`)}<p class="soft">${dayText(site, updatedAt)}</p>${readAt === null && html`<div class="acts">${readButtonHtml(site, shown, label, id)}</div>`}</li>\n`
}

function view(site: Site, shown: Shown, { items, unread, nextCursor }: NotificationPage): HtmlView {
  const say = planMessages(site)
  const next = nextCursor && pathOf({ ...shown, cursor: nextCursor })
  return formView({
    ...titled(site, say('notifications')),
    body: html`${
      (unread > 0 || shown.unread) &&
      html`<div class="acts">${unread > 0 && readButtonHtml(site, shown, say('markRead'))}<a href="${hrefOn(site, pathOf({ unread: !shown.unread }))}">${say(shown.unread ? 'showAll' : 'showUnread')}</a></div>\n`
    }${
      items.length === 0
        ? html`<p>${say(shown.unread ? 'noUnread' : 'noNotifications')}</p>`
        : html`<ul class="tiers">${items.map((item) => oneHtml(site, shown, item))}</ul>\n`
    }${next && html`<p><a rel="next" href="${hrefOn(site, next)}">${say('older')}</a></p>`}`,
  })
}

export interface NotificationPages {
  readonly accounts: Pick<AccountService, 'me'>
  readonly notifications: Pick<NotificationService, 'list' | 'markRead'>
  readonly ownOrigins: ReadonlySet<string>
}

/** Routes of the page with the notifications of an account. */
export function notificationPages(app: EepRoutes, { accounts, notifications, ownOrigins }: NotificationPages): void {
  const { accountForm } = createForms(app, ownOrigins)

  app.get(
    NOTIFICATIONS_PATH,
    {
      config: pageConfig({
        operationId: 'getNotificationsPage',
        summary: 'Get the page with the notifications of the account',
        errors: [invalidCursor],
      }),
      schema: { querystring: partQuery, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { activeProfileId: profileId } = await accounts.me(caller)
      const shown = { cursor: request.query.cursor, unread: request.query.unread === 'true' }
      const page =
        profileId === null
          ? NONE
          : await notifications.list({ ...shown, profileId, limit: 20 }, { caller }, request.eep.site)
      return sendPage(request, reply, view(request.eep.site, shown, page))
    },
  )

  accountForm(
    {
      path: NOTIFICATIONS_PATH,
      page: NOTIFICATIONS_PATH,
      operationId: 'submitNotificationsPage',
      summary: 'Mark one notification or all as read (HTML form)',
    },
    async (request, reply, { caller, texts: { id, next } }) => {
      const { activeProfileId } = await accounts.me(caller)
      // An id that no notification can have marks none.
      const ids = id === undefined ? undefined : id.length <= MAX_ID ? [id] : []
      if (activeProfileId !== null) await notifications.markRead(ids, { caller })
      const isPart = next?.startsWith(`${NOTIFICATIONS_PATH}?`) ?? false
      return goTo(request, reply, (isPart && internalPath(next)) || NOTIFICATIONS_PATH)
    },
  )
}
