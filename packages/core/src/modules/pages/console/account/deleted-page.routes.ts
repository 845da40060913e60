import { z } from 'zod'
import { formView, titled } from '../../../../http/html/form-view.ts'
import { html } from '../../../../http/html/html.ts'
import { sendPage } from '../../../../http/html/html-forms.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { goTo, pageConfig, visitorOf } from '../../../../http/html/visits.ts'
import type { EepRoutes } from '../../../../http/routes.ts'
import { dayText } from '../../../../model/day-text.ts'
import { deleteScreenMessages } from '../messages.ts'
import { ACCOUNT_PATH, DELETED_PATH } from './account-paths.ts'

const query = z.object({
  until: z.iso.datetime().optional().catch(undefined).describe('The time until which signing in restores the account'),
})

/** The page that people see after they deleted their account. They are signed out, so it is not a screen. */
export function deletedPageRoutes(app: EepRoutes): void {
  app.get(
    DELETED_PATH,
    {
      config: pageConfig({
        operationId: 'getDeletedAccountPage',
        summary: 'Get the page after the deletion of an account',
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      if (visitorOf(request)) return goTo(request, reply, ACCOUNT_PATH)
      const { site } = request.eep
      const say = deleteScreenMessages(site)
      const { until } = request.query
      return sendPage(
        request,
        reply,
        formView({
          ...titled(site, say('doneTitle')),
          lead: say('doneLead'),
          body: html`<p>${until === undefined ? say('undoAnyDay') : say('undoUntil', { day: dayText(site, new Date(until)) })}</p>
<p class="acts">${site.has?.('/login') && html`<a class="btn second" href="${hrefOn(site, '/login')}">${say('signIn')}</a>`}<a href="${hrefOn(site, '/')}">${say('home')}</a></p>`,
        }),
      )
    },
  )
}
