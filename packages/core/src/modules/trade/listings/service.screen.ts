import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../framework/module/screen.ts'
import { actionButton, screenForm } from '../../../framework/module/screen-form.ts'
import { html } from '../../../http/html/html.ts'
import type { Listing } from '../../../ports/storage/listings.ts'
import { serviceChanged, serviceNotFound } from './errors.ts'
import { serviceEditMessages } from './messages.ts'
import { detailsOf, sentService, serviceFormHtml } from './service-form-html.ts'
import { SERVICES_PATH, serviceScreenTexts, servicesPathOf } from './service-screen-texts.ts'
import type { ServiceScreens } from './services.screen.ts'

/** When the service that the form shows was changed last. */
const seenService = z.object({ seen: z.iso.datetime().transform((text) => new Date(text)) })

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
    errors: [serviceNotFound, serviceChanged],
    post: {
      save: screenAction({
        schema: sentService.and(seenService),
        async run(visit: ProfileVisit, { seen, ...sent }) {
          const { id, details } = await find(visit)
          await listings.replace(
            profiles.didOf(visit.profile),
            id,
            { details: detailsOf(sent, details), ifUnchanged: seen },
            visit.caller,
          )
          return { to: servicesPathOf(visit), said: 'changed' }
        },
      }),
      delete: screenAction({
        schema: seenService,
        async run(visit: ProfileVisit, { seen }) {
          await listings.remove(profiles.didOf(visit.profile), visit.text('service'), visit.caller, {
            ifUnchanged: seen,
          })
          return { to: servicesPathOf(visit), said: 'deleted' }
        },
      }),
    },
    async get(visit) {
      const say = serviceEditMessages(visit.site)
      const { details, scores, updatedAt } = await find(visit)
      const hidden = { seen: updatedAt.toISOString() }
      const form = serviceFormHtml(visit, { action: 'save', label: say('save'), stored: details, hidden })
      const reviews = scores.count > 0 && html` ${say('deleteReviews', { count: scores.count })}`
      const deletion = screenForm(
        visit,
        { actions: ['delete'], hidden },
        html`<p>${say('deleteText')}${reviews}</p><p>${actionButton(visit, 'delete', say('delete'), 'danger')}</p>`,
      )
      return {
        crumbs: [{ name: say('title'), href: servicesPathOf(visit) }],
        body: html`${form}${deletion && html`<details><summary>${say('delete')}</summary>${deletion}</details>`}`,
      }
    },
  }
}
