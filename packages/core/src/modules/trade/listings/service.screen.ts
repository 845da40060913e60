import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../framework/module/screen.ts'
import { actionButton, screenForm } from '../../../framework/module/screen-form.ts'
import { html } from '../../../http/html/html.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import { serviceNotFound } from './errors.ts'
import { serviceEditMessages } from './messages.ts'
import { detailsOf, sentService, serviceFormHtml } from './service-form-html.ts'
import { SERVICES_PATH, serviceScreenTexts, servicesPathOf } from './service-screen-texts.ts'
import type { ServiceScreens } from './services.screen.ts'

/** The screen that changes one service of a profile, and deletes it. */
export function serviceScreen({ listings, profiles }: ServiceScreens): Screen {
  async function find({ profile, caller, text }: ProfileVisit): Promise<Listing> {
    const { catalogue } = await listings.get(profiles.didOf(profile), caller)
    const listing = catalogue.listings.find(({ id }) => id === text('service'))
    if (!listing) throw serviceNotFound()
    return listing
  }

  return {
    name: 'profileService',
    path: `${SERVICES_PATH}/:service`,
    texts: ['service'],
    section: 'profile',
    permission: 'gates.edit',
    within: 'profileServices',
    title: (page) => serviceEditMessages(page)('editTitle'),
    ...serviceScreenTexts,
    errors: [serviceNotFound],
    post: {
      save: screenAction({
        schema: sentService,
        async run(visit: ProfileVisit, sent) {
          const { id, details } = await find(visit)
          await listings.replace(profiles.didOf(visit.profile), id, detailsOf(sent, details), visit.caller)
          return { to: servicesPathOf(visit), said: 'changed' }
        },
      }),
      delete: screenAction({
        schema: z.object({}),
        async run(visit: ProfileVisit) {
          await listings.remove(profiles.didOf(visit.profile), visit.text('service'), visit.caller)
          return { to: servicesPathOf(visit), said: 'deleted' }
        },
      }),
    },
    async get(visit) {
      const say = serviceEditMessages(visit.site)
      const { details, scores } = await find(visit)
      const form = serviceFormHtml(visit, { action: 'save', label: say('save'), stored: details })
      const reviews = scores.count > 0 && html` ${say('deleteReviews', { count: scores.count })}`
      const deletion = screenForm(
        visit,
        { actions: ['delete'] },
        html`<p>${say('deleteText')}${reviews}</p><p>${actionButton(visit, 'delete', say('delete'), 'danger')}</p>`,
      )
      return {
        crumbs: [{ name: say('title'), href: servicesPathOf(visit) }],
        body: html`${form}${deletion && html`<details><summary>${say('delete')}</summary>${deletion}</details>`}`,
      }
    },
  }
}
