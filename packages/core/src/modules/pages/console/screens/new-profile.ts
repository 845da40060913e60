import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, isChosen, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { html } from '../../../../http/html/html.ts'
import { cardsHtml, lineHtml } from '../../../../http/html/inputs.ts'
import { PREFIX_BY_TYPE, PROFILE_TYPES } from '../../../../model/profile-type.ts'
import {
  type ProfileService,
  tooManyDeletedProfiles,
  typeNames,
  usernameReserved,
  usernameSchema,
  usernameTaken,
} from '../../../profiles/profiles/index.ts'
import { NEW_PROFILE_PATH } from '../frame-html.ts'
import { editProfileMessages, newProfileMessages } from '../messages.ts'
import { optionalLine } from '../values.ts'

const MAX_NAME = 128

const create = (profiles: Pick<ProfileService, 'create'>) =>
  screenAction({
    schema: z.object({
      profile_type: z.enum(PROFILE_TYPES),
      username: z.string().trim().toLowerCase().pipe(usernameSchema),
      full_name: optionalLine(MAX_NAME),
    }),
    async run({ caller }: ScreenVisit, { profile_type: type, username, full_name: fullName }) {
      const { id } = await profiles.create({ type, username, fullName }, caller)
      return { to: `/manage/profiles/${id}/edit`, said: 'created' }
    },
  })

/** The screen that creates a profile: its type, its name and its address. */
export const newProfileScreen = ({ profiles }: { readonly profiles: Pick<ProfileService, 'create'> }): Screen => ({
  name: 'newProfile',
  path: NEW_PROFILE_PATH,
  section: 'account',
  errors: [usernameTaken, usernameReserved, tooManyDeletedProfiles],
  query: ['type'],
  title: (page) => newProfileMessages(page)('title'),
  said: (outcome, page) => (outcome === 'created' ? newProfileMessages(page)('created') : undefined),
  problem({ code }, page) {
    if (code === usernameTaken.code) return newProfileMessages(page)('taken')
    return code === usernameReserved.code ? editProfileMessages(page)('reserved') : undefined
  },
  wrong: (input, page) => (input === 'username' ? newProfileMessages(page)('usernameRule') : undefined),
  inputsOf: ({ code }) => (code === usernameTaken.code || code === usernameReserved.code ? ['username'] : []),
  post: { create: create(profiles) },
  async get(visit) {
    const { site, query } = visit
    const say = newProfileMessages(site)
    const name = typeNames(site)
    const form = screenForm(
      visit,
      { actions: ['create'] },
      html`<div class="types-of">${cardsHtml({
        name: 'profile_type',
        label: say('type'),
        problem: wrongWith(visit, 'profile_type'),
        choices: PROFILE_TYPES.map((type) => ({
          value: type,
          label: name(type),
          hint: say(type),
          isChosen: isChosen(visit, 'profile_type', type, type === (query.type ?? 'organization')),
        })),
      })}</div>
<div class="pair">${lineHtml({
        name: 'full_name',
        label: say('name'),
        value: shownText(visit, 'full_name', ''),
        maxLength: MAX_NAME,
        problem: wrongWith(visit, 'full_name'),
      })}${lineHtml({
        name: 'username',
        label: say('username'),
        hint: say('usernameHint', { prefix: PREFIX_BY_TYPE.organization }),
        value: shownText(visit, 'username', ''),
        maxLength: 64,
        isRequired: true,
        isExact: true,
        problem: wrongWith(visit, 'username'),
      })}</div>
<p class="bar">${actionButton(visit, 'create', say('create'))}</p>`,
    )
    return { lead: say('lead'), body: html`${form}` }
  },
})
