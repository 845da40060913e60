import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, isChosen, screenForm, wrongWith } from '../../../../framework/module/screen-form.ts'
import { html } from '../../../../http/html/html.ts'
import { cardsHtml } from '../../../../http/html/inputs.ts'
import { profileAppsMessages } from '../messages.ts'
import { profileAppsBody } from './profile-apps.routes.ts'
import type { ProfileAppsService } from './service.ts'

const CHOICES = ['allowed', 'owner_only'] as const

/** The screen on which the owner of a profile chooses which connected apps reach it. */
export const profileAppsScreen = ({ profileApps }: { readonly profileApps: ProfileAppsService }): Screen => ({
  name: 'profileApps',
  path: '/manage/profiles/:id/connected-apps',
  section: 'profile',
  permission: 'apps.limit',
  nav: { position: 85 },
  title: (page) => profileAppsMessages(page)('title'),
  said: (outcome, page) => (outcome === 'saved' ? profileAppsMessages(page)('saved') : undefined),
  post: {
    save: screenAction({
      permission: 'apps.limit',
      schema: z.object(profileAppsBody.shape),
      async run({ profile, caller, path }: ProfileVisit, { apps }) {
        await profileApps.set(profile.id, apps, caller)
        return { to: path, said: 'saved' }
      },
    }),
  },
  async get(visit) {
    const say = profileAppsMessages(visit.site)
    const { profile } = visit
    return {
      lead: say('lead'),
      body: html`${screenForm(
        visit,
        { actions: ['save'] },
        html`${cardsHtml({
          name: 'apps',
          label: say('which'),
          problem: wrongWith(visit, 'apps'),
          choices: CHOICES.map((value) => ({
            value,
            label: say(value),
            hint: say(`${value}_hint`),
            isChosen: isChosen(visit, 'apps', value, value === profile.apps),
          })),
        })}<p class="bar">${actionButton(visit, 'save', say('save'))}</p>`,
      )}`,
    }
  },
})
