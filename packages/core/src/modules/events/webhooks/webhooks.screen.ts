import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../framework/module/screen.ts'
import { listedPage } from '../../../framework/module/screen-list.ts'
import { secretResult } from '../../../framework/module/screen-secret.ts'
import { html } from '../../../http/html/html.ts'
import { invalidTransition } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { addressRefused } from '../../../runtime/outbound/index.ts'
import { didOf } from '../../profiles/profiles/index.ts'
import {
  tooManyWebhookRequests,
  tooManyWebhooks,
  webhookBacklogFull,
  webhookExists,
  webhookNotFound,
  webhookSourceUnavailable,
  webhookUnconfirmed,
} from './errors.ts'
import { webhookScreenMessages } from './messages.ts'
import { PATTERN } from './schemas.ts'
import { createHtml, logHtml, webhooksHtml } from './screen-html.ts'
import type { WebhookService } from './service.ts'

const MAX_TYPES = 50
const MAX_TYPE = 128
/** How many of its last deliveries the list shows for each webhook. */
const LAST_DELIVERIES = 3

type ScreenKey = Parameters<ReturnType<typeof webhookScreenMessages>>[0]

const PROBLEMS = new Map<string, ScreenKey>([
  ['webhook_not_found', 'gone'],
  ['webhook_exists', 'exists'],
  ['invalid_transition', 'changed'],
  ['address_refused', 'refused'],
  ['too_many_webhooks', 'tooMany'],
  ['too_many_webhook_requests', 'tooManyToday'],
  ['webhook_backlog_full', 'full'],
  ['webhook_source_unavailable', 'noSource'],
  ['webhook_unconfirmed', 'unconfirmed'],
])

const SAID = new Map<string, ScreenKey>([
  ['tested', 'tested'],
  ['paused', 'nowPaused'],
  ['resumed', 'nowResumed'],
  ['cancelled', 'nowCancelled'],
  ['redelivered', 'redelivered'],
  ['unavailable', 'unavailable'],
])

const webhook = z.string().min(1).max(64)

/** The patterns that boxes and lines of a form name. */
const patternsIn = (boxes: string | readonly string[] | undefined, lines: string): readonly string[] => [
  ...new Set([...[boxes ?? []].flat(), ...lines.split(/[\s,]+/).filter((each) => each !== '')]),
]

const creation = z
  .object({
    url: z.string().trim().min(1).max(2_000),
    events: z.union([z.string(), z.array(z.string())]).optional(),
    patterns: z.string().max(2_000).default(''),
  })
  .transform(({ url, events, patterns }) => ({ url, types: patternsIn(events, patterns) }))
  .refine(({ types }) => types.length > 0 && types.length <= MAX_TYPES, { path: ['events'] })
  .refine(({ types }) => types.every((each) => each.length <= MAX_TYPE && PATTERN.test(each)), { path: ['patterns'] })

export interface WebhookScreen {
  readonly webhooks: WebhookService
  readonly publicUrl: string
  /** Patterns that match the types of events of one kind: `content.*`. */
  readonly families: readonly string[]
}

/** Shows the secret of a webhook, once. */
function shown({ site, path }: ProfileVisit, secret: string) {
  const say = webhookScreenMessages(site)
  return secretResult(site, {
    title: say('secretTitle'),
    label: say('secret'),
    secret,
    once: say('once'),
    copy: say('copy'),
    copied: say('copied'),
    back: say('back'),
    backTo: path,
  })
}

function actionsOf({ webhooks, publicUrl }: WebhookScreen) {
  /** The webhook of a form, which belongs to the caller and to the profile of the screen. */
  const requireOwn = async ({ profile, caller }: ProfileVisit, id: string) => {
    const found = await webhooks.get(id, caller)
    if (found.sourceProfileId !== profile.id) throw webhookNotFound()
    return id
  }
  const acting = (said: string, act: (id: string, caller: ProfileVisit['caller']) => Promise<unknown>) =>
    screenAction({
      schema: z.object({ webhook }),
      async run(visit: ProfileVisit, values) {
        await act(await requireOwn(visit, values.webhook), visit.caller)
        return { to: visit.path, said }
      },
    })
  return {
    create: screenAction({
      recent: true,
      schema: creation,
      async run(visit: ProfileVisit, { url, types }) {
        const { secret } = await webhooks.subscribe(
          { sourceDid: didOf(publicUrl, visit.profile), eventTypes: types, deliveryUrl: url, onlyNew: true },
          visit.caller,
        )
        if (secret === undefined) throw webhookUnconfirmed()
        return shown(visit, secret)
      },
    }),
    rotate: screenAction({
      recent: true,
      schema: z.object({ webhook }),
      async run(visit: ProfileVisit, values) {
        const { secret } = await webhooks.rotateSecret(await requireOwn(visit, values.webhook), visit.caller)
        return shown(visit, secret)
      },
    }),
    test: acting('tested', webhooks.test),
    pause: acting('paused', webhooks.pause),
    resume: acting('resumed', webhooks.resume),
    cancel: acting('cancelled', webhooks.cancel),
    redeliver: screenAction({
      schema: z.object({ webhook, event: z.string().min(1).max(64) }),
      async run(visit: ProfileVisit, values) {
        const id = await requireOwn(visit, values.webhook)
        const { redelivered } = await webhooks.redeliver(id, visit.caller, [values.event])
        const said = redelivered.length > 0 ? 'redelivered' : 'unavailable'
        return { to: `${visit.path}?log=${encodeURIComponent(id)}`, said }
      },
    }),
  }
}

/** The screen with the webhooks of the caller that receive events of a profile. Their secrets are shown once. */
export const webhookScreen = (deps: WebhookScreen): Screen => ({
  name: 'webhooksOfProfile',
  path: '/manage/profiles/:id/webhooks',
  section: 'profile',
  nav: { position: 75 },
  query: ['log', 'cursor'],
  title: (page) => webhookScreenMessages(page)('title'),
  said(outcome, page) {
    const key = SAID.get(outcome)
    return key && webhookScreenMessages(page)(key)
  },
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && webhookScreenMessages(page)(key)
  },
  wrong: (input, page) =>
    webhookScreenMessages(page)(input === 'url' ? 'noUrl' : input === 'patterns' ? 'noPattern' : 'noEvents'),
  inputsOf: ({ code }) =>
    [addressRefused.code, webhookUnconfirmed.code, webhookExists.code].includes(code) ? ['url'] : [],
  errors: [
    addressRefused,
    invalidCursor,
    invalidTransition,
    tooManyWebhookRequests,
    tooManyWebhooks,
    webhookBacklogFull,
    webhookExists,
    webhookNotFound,
    webhookSourceUnavailable,
    webhookUnconfirmed,
  ],
  post: actionsOf(deps),
  async get(visit) {
    const { site, caller, profile, query } = visit
    if (query.log !== undefined && query.log !== '') {
      const found = await deps.webhooks.get(query.log, caller)
      if (found.sourceProfileId !== profile.id) throw webhookNotFound()
      return { body: logHtml(visit, found, await deps.webhooks.listAttempts(found.id, caller, listedPage(visit))) }
    }
    const { webhooks, families } = deps
    const page = await webhooks.list(caller, listedPage(visit), { sourceProfileId: profile.id })
    const items = await Promise.all(
      page.items.map(async (each) => ({
        webhook: each,
        attempts: (await webhooks.listAttempts(each.id, caller, { limit: LAST_DELIVERIES })).items,
        unknown: webhooks.unknownTypes(each.eventTypes),
      })),
    )
    return {
      lead: webhookScreenMessages(site)('lead'),
      body: html`${webhooksHtml(visit, { ...page, items })}${createHtml(visit, families)}`,
    }
  },
})
