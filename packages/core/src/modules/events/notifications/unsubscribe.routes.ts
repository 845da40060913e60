import { z } from 'zod'
import { formatOf } from '../../../http/documents/negotiation.ts'
import { html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import type { HtmlView, Site } from '../../../http/html/view.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidOrExpiredToken } from '../../people/accounts/index.ts'
import { unsubscribeMessages } from './messages.ts'
import type { NotificationService } from './service.ts'

const query = z.object({ token: z.string().min(1).max(300).describe('The token in the unsubscribe link of an email') })
const ended = z
  .object({ kinds: z.array(z.string()).describe('The kinds that are no longer sent by email') })
  .meta({ id: 'EmailUnsubscription' })

/** The page changes nothing until its button is pressed, because email security scanners open links. */
function askView(site: Site): HtmlView {
  const say = unsubscribeMessages(site)
  return {
    title: say('title'),
    head: html`<h1>${say('ask')}</h1>
<p class="lead">${say('askLead')}</p>
<form method="post"><button type="submit">${say('button')}</button></form>`,
  }
}

function endedView(site: Site): HtmlView {
  const say = unsubscribeMessages(site)
  return { title: say('title'), head: html`<h1>${say('ended')}</h1>\n<p class="lead">${say('endedLead')}</p>` }
}

function refusedView(site: Site): HtmlView {
  const say = unsubscribeMessages(site)
  return { title: say('refused'), head: html`<h1>${say('refused')}</h1>\n<p class="lead">${say('refusedLead')}</p>` }
}

/** Routes to unsubscribe without signing in: a page, and one-click requests of mail clients (RFC 8058). */
export function unsubscribeRoutes(
  app: EepRoutes,
  { notifications }: { readonly notifications: Pick<NotificationService, 'unsubscribe' | 'canUnsubscribe'> },
): void {
  const shared = { auth: 'none', limit: 'auth', tag: 'notifications', secrets: ['token'] } as const

  app.get(
    '/notifications/unsubscribe',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getUnsubscribePage',
        summary: 'Get the page of an unsubscribe link, without unsubscribing',
        produces: ['text/html'],
        errors: [invalidOrExpiredToken],
      }),
      schema: { querystring: query, response: { 200: z.string() } },
    },
    (request, reply) =>
      notifications.canUnsubscribe(request.query.token)
        ? sendPage(request, reply, askView(request.eep.site))
        : sendPage(request, reply, refusedView(request.eep.site), invalidOrExpiredToken.status),
  )

  app.scope((routes, scope) => {
    // Mail clients send `List-Unsubscribe=One-Click` in either encoding. The token is sufficient, so the body is ignored.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      // The module files has its own form parser.
      scope.removeContentTypeParser(type)
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))
    }
    routes.post(
      '/notifications/unsubscribe',
      {
        config: routeConfig({
          ...shared,
          operationId: 'unsubscribeFromEmails',
          summary: 'Unsubscribe with the link of an email, without signing in (RFC 8058)',
          produces: ['application/json', 'text/html'],
          errors: [invalidOrExpiredToken],
        }),
        schema: { querystring: query, response: { 200: ended } },
      },
      async (request, reply) => {
        const isPage = formatOf(request) === 'html'
        if (isPage && !notifications.canUnsubscribe(request.query.token)) {
          return sendPage(request, reply, refusedView(request.eep.site), invalidOrExpiredToken.status)
        }
        const kinds = await notifications.unsubscribe(request.query.token)
        reply.header('cache-control', 'private, no-store')
        return isPage ? sendPage(request, reply, endedView(request.eep.site)) : { kinds: [...kinds] }
      },
    )
  })
}
