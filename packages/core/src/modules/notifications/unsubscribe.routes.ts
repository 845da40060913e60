import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { html } from '../../http/html/html.ts'
import { writePage } from '../../http/html/page.ts'
import type { HtmlView } from '../../http/html/view.ts'
import { formatOf } from '../../http/negotiation.ts'
import { type EepRoutes, routeConfig, type ZodTypeProvider } from '../../http/routes.ts'
import { invalidOrExpiredToken } from '../accounts/index.ts'
import type { NotificationService } from './service.ts'

const query = z.object({ token: z.string().min(1).max(300).describe('The token of an emailed link') })
const ended = z.object({ kinds: z.array(z.string()).describe('The kinds that are not sent by email any more') })

/** Changes nothing until its button is pressed, because programs open the links of emails. */
const askView: HtmlView = {
  title: 'Emails',
  head: html`<h1>End these emails?</h1>
<p class="lead">Your notifications stay in your account.</p>
<form method="post"><button type="submit">End these emails</button></form>`,
}
const endedView: HtmlView = {
  title: 'Emails',
  head: html`<h1>These emails have ended</h1>
<p class="lead">You can change it in the preferences of your notifications.</p>`,
}
const refusedView: HtmlView = {
  title: 'This link does not work',
  head: html`<h1>This link does not work</h1>
<p class="lead">It was not made by this service.</p>`,
}

/** How emails are ended without signing in: by a page, and by one request of a mail client (RFC 8058). */
export function unsubscribeRoutes(
  app: EepRoutes,
  { notifications }: { readonly notifications: Pick<NotificationService, 'unsubscribe' | 'canUnsubscribe'> },
): void {
  const shared = { auth: 'none', limit: 'auth', tag: 'notifications', secrets: ['token'] } as const

  async function sendPage(request: FastifyRequest, reply: FastifyReply, view: HtmlView, status = 200) {
    const { markup, headers } = await writePage({ ...view, hasForm: true }, request.eep.site, { alternates: [] })
    reply.headers({
      ...headers,
      'cache-control': 'private, no-store',
      // With `no-referrer`, browsers would send the form with the origin `null`.
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    })
    return reply.code(status).type('text/html; charset=utf-8').send(markup)
  }

  app.get(
    '/notifications/unsubscribe',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getUnsubscribePage',
        summary: 'Get the page of an emailed link that ends emails; it changes nothing',
        produces: ['text/html'],
        errors: [invalidOrExpiredToken],
      }),
      schema: { querystring: query, response: { 200: z.string() } },
    },
    (request, reply) =>
      notifications.canUnsubscribe(request.query.token)
        ? sendPage(request, reply, askView)
        : sendPage(request, reply, refusedView, invalidOrExpiredToken.status),
  )

  app.register(async (scope) => {
    // Mail clients send `List-Unsubscribe=One-Click` in either form. The token says everything.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      // Files have their own parser of forms.
      scope.removeContentTypeParser(type)
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))
    }
    scope.withTypeProvider<ZodTypeProvider>().post(
      '/notifications/unsubscribe',
      {
        config: routeConfig({
          ...shared,
          operationId: 'unsubscribeFromEmails',
          summary: 'End the emails of an emailed link, without signing in (RFC 8058)',
          produces: ['application/json', 'text/html'],
          errors: [invalidOrExpiredToken],
        }),
        schema: { querystring: query, response: { 200: ended } },
      },
      async (request, reply) => {
        const isPage = formatOf(request) === 'html'
        if (isPage && !notifications.canUnsubscribe(request.query.token)) {
          return sendPage(request, reply, refusedView, invalidOrExpiredToken.status)
        }
        const kinds = await notifications.unsubscribe(request.query.token)
        reply.header('cache-control', 'private, no-store')
        return isPage ? sendPage(request, reply, endedView) : { kinds: [...kinds] }
      },
    )
  })
}
