import { z } from 'zod'
import { pageOfNotification } from '../../../framework/module/define-notification.ts'
import { listQuery } from '../../../http/documents/lists.ts'
import { createForms } from '../../../http/html/account-forms.ts'
import { formView, titled } from '../../../http/html/form-view.ts'
import { html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { dayText } from '../../../model/day-text.ts'
import type { NotificationPage, NotificationService, WrittenNotification } from '../../events/notifications/index.ts'
import type { AccountService } from '../../people/accounts/index.ts'
import { planMessages } from './messages.ts'

/** The page of notifications. `/notifications` is the JSON list, which sends browsers here. */
const NOTIFICATIONS_PATH = '/account/notifications'

const NONE: NotificationPage = { items: [], unread: 0, total: 0 }

function oneHtml(site: Site, { text, updatedAt, readAt }: WrittenNotification) {
  const say = planMessages(site)
  const target = pageOfNotification(text)
  return html`<li><p>${target === undefined ? text.title : html`<a href="${hrefOn(site, target)}">${text.title}</a>`}${readAt === null && html` <span class="price">${say('unread')}</span>`}</p>
${(text.body ?? []).map((paragraph) => html`<p>${paragraph}</p>\n`)}<p class="soft">${dayText(site, updatedAt)}</p></li>\n`
}

function view(site: Site, { items, unread, nextCursor }: NotificationPage): HtmlView {
  const say = planMessages(site)
  const next = nextCursor && `${NOTIFICATIONS_PATH}?cursor=${encodeURIComponent(nextCursor)}`
  return formView({
    ...titled(site, say('notifications')),
    body: html`${unread > 0 && html`<form method="post" action="${hrefOn(site, NOTIFICATIONS_PATH)}"><p><button class="second" type="submit">${say('markRead')}</button></p></form>\n`}${
      items.length === 0
        ? html`<p>${say('noNotifications')}</p>`
        : html`<ul class="tiers">${items.map((item) => oneHtml(site, item))}</ul>\n`
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
      schema: { querystring: listQuery.pick({ cursor: true }), response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { activeProfileId: profileId } = await accounts.me(caller)
      const { cursor } = request.query
      const page =
        profileId === null
          ? NONE
          : await notifications.list({ profileId, unread: false, limit: 20, cursor }, { caller }, request.eep.site)
      return sendPage(request, reply, view(request.eep.site, page))
    },
  )

  accountForm(
    {
      path: NOTIFICATIONS_PATH,
      page: NOTIFICATIONS_PATH,
      operationId: 'submitNotificationsPage',
      summary: 'Mark all notifications as read (HTML form)',
    },
    async (request, reply, { caller }) => {
      const { activeProfileId } = await accounts.me(caller)
      if (activeProfileId !== null) await notifications.markRead(undefined, { caller })
      return goTo(request, reply, NOTIFICATIONS_PATH)
    },
  )
}
