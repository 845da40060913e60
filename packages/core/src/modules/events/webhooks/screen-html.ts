import type { ProfileVisit } from '../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../framework/module/screen-form.ts'
import { nextPageHtml, tableHtml } from '../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { areaHtml, boxHtml, lineHtml } from '../../../http/html/inputs.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Page } from '../../../kernel/page.ts'
import { momentText } from '../../../model/day-text.ts'
import { isRecord } from '../../../model/field-values.ts'
import type { Webhook, WebhookAttempt } from '../../../ports/storage/webhooks.ts'
import { encodeEventId } from '../signals/index.ts'
import { webhookExists } from './errors.ts'
import { webhookScreenMessages } from './messages.ts'
import { RUNNING } from './requested-deliveries.ts'

const MAX_URL = 2_000
const MAX_PATTERNS = 2_000

function stateHtml({ site }: ProfileVisit, { status, pauseReason, pending }: Webhook): Html {
  const say = webhookScreenMessages(site)
  const kind = status === 'active' ? 'ok' : status === 'paused' || status === 'rejected' ? 'bad' : ''
  const reason = status === 'paused' && pauseReason !== null && pauseReason !== 'owner' && say(`paused_${pauseReason}`)
  return html`<span class="tag ${kind}">${say(status)}</span>${reason && html`<br><small>${reason}</small>`}${pending > 0 && html`<br><small>${say('pending', { count: pending })}</small>`}`
}

function buttonsHtml(visit: ProfileVisit, { id, status }: Webhook): Html | false {
  const say = webhookScreenMessages(visit.site)
  const hidden = { webhook: id }
  if (status !== 'pending_verification' && !RUNNING.includes(status)) return false
  return html`${status === 'active' && buttonOnly(visit, 'test', say('test'), hidden)}${status === 'active' && buttonOnly(visit, 'pause', say('pause'), hidden, 'quiet')}${status === 'paused' && buttonOnly(visit, 'resume', say('resume'), hidden)}<details><summary>${say('more')}</summary><p class="soft">${say('rotateHint')}</p>${buttonOnly(visit, 'rotate', say('rotate'), hidden)}<p class="soft">${say('cancelHint')}</p>${buttonOnly(visit, 'cancel', say('cancel'), hidden, 'danger')}</details>`
}

const timeHtml = (site: Site, at: Date) => html`<time datetime="${at.toISOString()}">${momentText(site, at)}</time>`

/** A webhook as the list shows it. */
export interface ListedWebhook {
  readonly webhook: Webhook
  /** Its last deliveries, the newest first. */
  readonly attempts: readonly WebhookAttempt[]
  /** The patterns that match no type that the service emits. */
  readonly unknown: readonly string[]
}

/** What a receiver answered: its status, or that it did not answer. */
const answerHtml = ({ site }: ProfileVisit, { statusCode, error }: WebhookAttempt): Html =>
  html`<span class="tag ${error === null ? 'ok' : 'bad'}">${statusCode ?? webhookScreenMessages(site)('noAnswer')}</span>`

/** The path of the log of a webhook. */
const logPath = ({ path }: ProfileVisit, id: string) => `${path}?log=${encodeURIComponent(id)}`

function lastDeliveriesHtml(visit: ProfileVisit, { webhook: { id }, attempts }: ListedWebhook): Html {
  const { site } = visit
  const say = webhookScreenMessages(site)
  const each = (attempt: WebhookAttempt) =>
    html`${answerHtml(visit, attempt)} <small>${timeHtml(site, attempt.at)}</small><br>`
  return html`${attempts.map(each)}<a href="${hrefOn(site, logPath(visit, id))}">${say('log')}</a>`
}

const eventsHtml = ({ site }: ProfileVisit, { webhook: { eventTypes }, unknown }: ListedWebhook): Html =>
  html`${eventTypes.map((type, index) => html`${index > 0 && ' '}<code>${type}</code>`)}${unknown.length > 0 && html`<br><small>${webhookScreenMessages(site)('unknown')} ${unknown.map((type) => html`<code>${type}</code> `)}</small>`}`

/** Writes the webhooks of a profile. */
export function webhooksHtml(visit: ProfileVisit, page: Page<ListedWebhook>): Html {
  const say = webhookScreenMessages(visit.site)
  if (page.items.length === 0) return emptyHtml(say('none'))
  const list = tableHtml<ListedWebhook>(
    say('title'),
    [
      { label: say('url'), cell: ({ webhook }) => html`<bdi dir="ltr">${webhook.deliveryUrl}</bdi>` },
      { label: say('events'), cell: (each) => html`<div>${eventsHtml(visit, each)}</div>` },
      { label: say('state'), cell: ({ webhook }) => html`<div>${stateHtml(visit, webhook)}</div>` },
      { label: say('last'), cell: (each) => html`<div>${lastDeliveriesHtml(visit, each)}</div>` },
      { label: '', cell: ({ webhook }) => html`<div>${buttonsHtml(visit, webhook)}</div>` },
    ],
    page.items,
  )
  return html`${list}${nextPageHtml(visit, page, say('next'))}`
}

/** The id of the webhook that a form would have created again. */
function existingId({ entered }: ProfileVisit): string | undefined {
  const error = entered?.error
  if (!isEepError(error) || error.code !== webhookExists.code || !isRecord(error.details)) return undefined
  const { subscription_id: id } = error.details
  return typeof id === 'string' ? id : undefined
}

/** Writes the form that creates a webhook. */
export function createHtml(visited: ProfileVisit, families: readonly string[]): Html | false {
  const actions = ['create']
  const visit = ofForm(visited, actions)
  const say = webhookScreenMessages(visit.site)
  const noEvents = wrongWith(visit, 'events')
  const existing = existingId(visit)
  return screenForm(
    visit,
    { actions },
    html`<h2>${say('createTitle')}</h2><p>${say('createText')}</p>${lineHtml({
      name: 'url',
      label: say('url'),
      hint: say('urlHint'),
      type: 'url',
      inputMode: 'url',
      value: shownText(visit, 'url', ''),
      maxLength: MAX_URL,
      isRequired: true,
      isExact: true,
      problem: wrongWith(visit, 'url'),
    })}${existing && html`<p><a href="${hrefOn(visit.site, logPath(visit, existing))}">${say('showExisting')}</a></p>`}<fieldset class="card"><legend>${say('events')}</legend>${noEvents && html`<p class="wrong">${noEvents}</p>`}${families.map((family) => boxHtml({ name: 'events', id: `events-${family}`, value: family, label: html`<code>${family}</code>`, isChecked: isChosen(visit, 'events', family, false) }))}</fieldset>${areaHtml(
      {
        name: 'patterns',
        label: say('patterns'),
        hint: say('patternsHint'),
        rows: 2,
        isCode: true,
        value: shownText(visit, 'patterns', ''),
        maxLength: MAX_PATTERNS,
        problem: wrongWith(visit, 'patterns'),
      },
    )}<p>${actionButton(visit, 'create', say('create'))}</p>`,
  )
}

/** Writes the log of a webhook: each attempt, and a button that delivers its event again. */
export function logHtml(visit: ProfileVisit, webhook: Webhook, attempts: Page<WebhookAttempt>): Html {
  const { site, path } = visit
  const say = webhookScreenMessages(site)
  const again = ({ cursor }: WebhookAttempt) =>
    RUNNING.includes(webhook.status) &&
    buttonOnly(visit, 'redeliver', say('redeliver'), { webhook: webhook.id, event: encodeEventId(cursor) }, 'quiet')
  return html`<p><a href="${hrefOn(site, path)}">${say('all')}</a></p><h2>${say('logOf')} <bdi dir="ltr">${webhook.deliveryUrl}</bdi></h2>${
    attempts.items.length === 0
      ? emptyHtml(say('noAttempts'))
      : tableHtml<WebhookAttempt>(
          say('log'),
          [
            {
              label: say('time'),
              cell: ({ at }) => timeHtml(site, at),
            },
            {
              label: say('event'),
              cell: ({ cursor, attempt }) =>
                html`<code>${encodeEventId(cursor)}</code> <small>${say('attempt', { count: attempt })}</small>`,
            },
            {
              label: say('answer'),
              cell: (attempt) =>
                html`${answerHtml(visit, attempt)} <small><bdi dir="ltr">${attempt.responseTimeMs} ms</bdi>${attempt.error && html` · <code>${attempt.error}</code>`}</small>`,
            },
            { label: '', cell: again },
          ],
          attempts.items,
        )
  }${nextPageHtml(visit, attempts, say('next'))}`
}
