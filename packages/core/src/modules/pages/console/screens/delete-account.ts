import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { html } from '../../../../http/html/html.ts'
import { lineHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DAY_MS } from '../../../../kernel/durations.ts'
import { validationFailed } from '../../../../kernel/errors.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import { ACCOUNT_PATH, DELETED_PATH } from '../account/account-paths.ts'
import { accountScreenMessages, deleteScreenMessages } from '../messages.ts'

const DELETE_PATH = '/account/delete'
const EXPORTS_PATH = '/account/exports'
const MAX_NAME = 64

export interface DeleteAccountScreen {
  readonly accounts: Pick<AccountService, 'scheduleDeletion' | 'me'>
  readonly clock: Clock
  /** How long a deletion can be undone, in days. */
  readonly graceDays: number
}

const actionsOf = ({ accounts }: DeleteAccountScreen) => ({
  delete: screenAction({
    recent: true,
    schema: z.object({ name: z.string().trim().max(MAX_NAME) }),
    async run({ caller }: ScreenVisit, { name }) {
      if (name.replace(/^@/, '') !== caller.account.username) throw validationFailed()
      const at = await accounts.scheduleDeletion(caller, undefined)
      return { to: `${DELETED_PATH}?until=${encodeURIComponent(at.toISOString())}`, session: 'ended' as const }
    },
  }),
})

/** The screen that deletes an account: what happens, until when it can be undone, and the question whether it is meant. */
export const deleteAccountScreen = (deps: DeleteAccountScreen): Screen => ({
  name: 'accountDelete',
  path: DELETE_PATH,
  section: 'account',
  title: (page) => deleteScreenMessages(page)('title'),
  wrong: (input, page) => (input === 'name' ? deleteScreenMessages(page)('wrongName') : undefined),
  inputsOf: ({ code }) => (code === 'validation_failed' ? ['name'] : []),
  post: actionsOf(deps),
  async get(visit) {
    const { site, caller } = visit
    const say = deleteScreenMessages(site)
    const { username } = caller.account
    const owned = (await deps.accounts.me(caller)).profiles.filter(({ role }) => role === 'owner')
    const day = dayText(site, new Date(deps.clock().getTime() + deps.graceDays * DAY_MS))
    return {
      crumbs: [{ name: accountScreenMessages(site)('title'), href: hrefOn(site, ACCOUNT_PATH) }],
      lead: say('lead', { day }),
      body: html`<section class="card"><h2>${say('now')}</h2><ul><li>${say('hidden', { count: owned.length })}</li><li>${say('signedOut')}</li><li>${say('reserved')}</li></ul>
<h2>${say('later', { day })}</h2><ul><li>${say('gone')}</li><li>${say('teams')}</li><li>${say('receipts')}</li></ul></section>
<p>${say('undo', { day })}${site.has?.(EXPORTS_PATH) && html` <a href="${hrefOn(site, EXPORTS_PATH)}">${say('exportFirst')}</a>`}</p>
${screenForm(
  visit,
  { actions: ['delete'] },
  html`${lineHtml({
    name: 'name',
    label: say('type', { username }),
    value: shownText(visit, 'name', ''),
    maxLength: MAX_NAME,
    isRequired: true,
    isExact: true,
    problem: wrongWith(visit, 'name'),
  })}<p class="acts">${actionButton(visit, 'delete', say('delete'), 'danger')}<a href="${hrefOn(site, ACCOUNT_PATH)}">${say('keep')}</a></p>`,
)}`,
    }
  },
})
