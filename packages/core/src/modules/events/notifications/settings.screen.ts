import { z } from 'zod'
import type { NotificationDefinition } from '../../../framework/module/define-notification.ts'
import { type Screen, type ScreenVisit, screenAction } from '../../../framework/module/screen.ts'
import { actionButton, screenForm, textOf, textsNamed } from '../../../framework/module/screen-form.ts'
import { tableHtml } from '../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { hrefOn } from '../../../http/html/view.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { NotificationEmail } from '../../../ports/storage/notifications.ts'
import { notificationSettingsMessages } from './messages.ts'
import type { NotificationService } from './service.ts'

const SETTINGS_PATH = '/account/notification-settings'
const ACCOUNT_PATH = '/account'
const EMAILS: readonly [NotificationEmail, ...NotificationEmail[]] = ['off', 'immediately', 'daily']

/** The kinds that have texts. Those of a host have their summary. */
const KINDS = [
  'app_connected',
  'app_spend_limit',
  'app_token_reused',
  'dispute',
  'follow',
  'job',
  'mention',
  'message',
  'negotiation',
  'plan',
  'publication_failed',
  'purchase',
  'refund',
  'reply',
  'review',
  'sale',
  'team',
  'team_invitation',
  'transfer',
  'undelivered',
  'webhook_created',
  'webhook_paused',
  'workspace',
  'workspace_invitation',
] as const

type Preference = Awaited<ReturnType<NotificationService['preferences']>>[number]

export interface NotificationSettingsScreen {
  readonly notifications: Pick<NotificationService, 'preferences' | 'setPreferences'>
  readonly definitions: readonly NotificationDefinition[]
}

const emailInput = (kind: string) => `email_${kind}`

function nameOf({ kind, summary }: Pick<Preference, 'kind' | 'summary'>, page: PageLanguage): string {
  const known = KINDS.find((each) => each === kind)
  return known === undefined ? summary : notificationSettingsMessages(page)(known)
}

/** The values of the form: the kinds that are listed, and when each is sent by email. */
function schemaOf(definitions: readonly NotificationDefinition[]) {
  const kinds = definitions.map(({ kind }) => kind)
  const emails = definitions.filter(({ email }) => email !== null).map(({ kind }) => kind)
  const listed = z.union([z.string(), z.array(z.string())]).optional()
  return z.object({
    here: listed
      .transform((texts) => (texts === undefined ? [] : [texts].flat()))
      .pipe(z.array(z.enum(kinds)).max(kinds.length)),
    ...Object.fromEntries(emails.map((kind) => [emailInput(kind), z.enum(EMAILS)])),
  })
}

function tableOf(visit: ScreenVisit, preferences: readonly Preference[]): Html {
  const { site, entered } = visit
  const say = notificationSettingsMessages(site)
  const isHere = ({ kind, inApp }: Preference) => (entered ? textsNamed(entered.texts, 'here').includes(kind) : inApp)
  const emailOf = ({ kind, email }: Preference) => (entered && textOf(entered.texts, emailInput(kind))) ?? email
  return tableHtml<Preference>(
    say('title'),
    [
      { label: say('about'), cell: (each) => nameOf(each, site) },
      {
        label: say('here'),
        cell: (each) =>
          html`<label class="pick"><input type="checkbox" name="here" value="${each.kind}"${isHere(each) && html` checked`}><span class="sr-only">${say('hereFor', { about: nameOf(each, site) })}</span></label>`,
      },
      {
        label: say('byEmail'),
        cell(each) {
          if (each.email === null) return html`<span class="soft">${say('noEmails')}</span>`
          const chosen = emailOf(each)
          return html`<label><span class="sr-only">${say('emailFor', { about: nameOf(each, site) })}</span><select name="${emailInput(each.kind)}">${EMAILS.map((email) => html`<option value="${email}"${email === chosen && html` selected`}>${say(email)}</option>`)}</select></label>`
        },
      },
    ],
    preferences,
  )
}

/** The screen with how an account is notified: here and by email, for each kind. */
export const notificationSettingsScreen = ({ notifications, definitions }: NotificationSettingsScreen): Screen => ({
  name: 'accountNotifications',
  path: SETTINGS_PATH,
  section: 'account',
  title: (page) => notificationSettingsMessages(page)('title'),
  said: (outcome, page) => (outcome === 'saved' ? notificationSettingsMessages(page)('saved') : undefined),
  post: {
    save: screenAction({
      schema: schemaOf(definitions),
      async run({ caller, path }: ScreenVisit, { here, ...emails }) {
        const chosen: Readonly<Record<string, unknown>> = emails
        const choices = definitions.map(({ kind, email }) => ({
          kind,
          inApp: here.includes(kind),
          email: email === null ? null : z.enum(EMAILS).parse(chosen[emailInput(kind)]),
        }))
        await notifications.setPreferences(choices, caller)
        return { to: path, said: 'saved' }
      },
    }),
  },
  async get(visit) {
    const { site } = visit
    const say = notificationSettingsMessages(site)
    const table = tableOf(visit, await notifications.preferences(visit.caller))
    return {
      crumbs: [{ name: say('account'), href: hrefOn(site, ACCOUNT_PATH) }],
      lead: say('lead'),
      body: html`${screenForm(visit, { actions: ['save'] }, html`${table}<p class="bar">${actionButton(visit, 'save', say('save'))}</p>`)}`,
    }
  },
})
