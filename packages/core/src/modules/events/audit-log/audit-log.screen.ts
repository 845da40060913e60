import type { ProfileVisit, Screen } from '../../../framework/module/screen.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../http/html/inputs.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { hrefOn } from '../../../http/html/view.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { ERASED_DID } from '../../../kernel/erased-ids.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { actingAppText } from '../../../model/acting-app-text.ts'
import { AUDIT_OUTCOMES, AUDIT_TYPES, type AuditType } from '../../../model/audit.ts'
import { momentText } from '../../../model/day-text.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import type { AuditLogEntry, AuditLogQuery } from '../../../ports/storage/audit-log.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { auditLogScreenMessages } from './messages.ts'
import type { AuditLogService } from './service.ts'

/** The services of the screen with the audit log of a profile. */
export interface AuditLogScreen {
  readonly auditLog: Pick<AuditLogService, 'list'>
  readonly profiles: Pick<ProfileService, 'didOf' | 'nameOf'>
  /** The DID of the service. */
  readonly serviceDid: string
}

const MAX_DID = 512
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DID = /^did:[a-z0-9]+:.+$/
/** The facts of an entry that its details show. */
const SHOWN = ['resource', 'failure_reason', 'commerce_id'] as const

/** The key of the text of a type of entries: `gate_proof_submitted`. */
type TextKey<Type extends string> = Type extends `${infer First}.${infer Rest}` ? `${First}_${TextKey<Rest>}` : Type

// A type whose text is missing is an error where the key is used.
const textKey = (type: AuditType) => type.replaceAll('.', '_') as TextKey<AuditType>

/** Returns the day that a text of the query names, as its begin in UTC; undefined for other texts. */
function dayOf(text: string | undefined): Date | undefined {
  if (text === undefined || !DAY.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(day.getTime()) ? undefined : day
}

/** Returns the filters that the query of the screen names. Texts that name none are ignored. The last day is included. */
function filtersOf({ profile, query }: ProfileVisit): AuditLogQuery {
  const until = dayOf(query.to)
  const actor = query.actor?.trim()
  return {
    profileId: profile.id,
    eventType: AUDIT_TYPES.find((type) => type === query.type),
    outcome: AUDIT_OUTCOMES.find((outcome) => outcome === query.outcome),
    actorDid: actor && DID.test(actor) ? actor : undefined,
    from: dayOf(query.from),
    to: until && new Date(until.getTime() + DAY_MS),
    sort: 'desc',
  }
}

function filtersHtml({ site, path, query }: ProfileVisit, { eventType, outcome, actorDid, from, to }: AuditLogQuery) {
  const say = auditLogScreenMessages(site)
  const any = (isChosen: boolean) => ({ value: '', label: say('any'), isChosen })
  const day = (name: 'from' | 'to', isDay: boolean) =>
    lineHtml({ name, label: say(name), type: 'date', value: isDay ? (query[name] ?? '') : '' })
  const actor = query.actor?.trim() ?? ''
  return html`<form method="get" action="${hrefOn(site, path)}" class="filters">${selectHtml({
    name: 'type',
    label: say('type'),
    choices: [
      any(eventType === undefined),
      ...AUDIT_TYPES.map((value) => ({ value, label: say(textKey(value)), isChosen: value === eventType })),
    ],
  })}${selectHtml({
    name: 'outcome',
    label: say('outcome'),
    choices: [
      any(outcome === undefined),
      ...AUDIT_OUTCOMES.map((value) => ({ value, label: say(`outcome_${value}`), isChosen: value === outcome })),
    ],
  })}${lineHtml({
    name: 'actor',
    label: say('actor'),
    hint: say('actorHint'),
    value: actor,
    maxLength: MAX_DID,
    isExact: true,
    problem: actor !== '' && actorDid === undefined ? say('wrongActor') : undefined,
  })}${day('from', from !== undefined)}${day('to', to !== undefined)}<p class="field"><button class="second" type="submit">${say('show')}</button> <a href="${hrefOn(site, path)}">${say('reset')}</a></p></form>\n`
}

function actorHtml(
  { site, profile }: ProfileVisit,
  did: string,
  { profiles, serviceDid }: AuditLogScreen,
): Html | string {
  const say = auditLogScreenMessages(site)
  if (did === ERASED_DID) return say('erased')
  if (did === serviceDid) return say('service')
  if (did === profiles.didOf(profile)) return say('self')
  const name = profiles.nameOf(did)
  if (!name) return html`<code><bdi>${did}</bdi></code>`
  const path = `/${PREFIX_BY_TYPE[name.type]}/${name.username}`
  return html`<a href="${hrefOn(site, path)}"><bdi>${path}</bdi></a>`
}

/** Who acted, and by which app. */
function byHtml(visit: ProfileVisit, { actorDid, through }: AuditLogEntry, deps: AuditLogScreen): Html {
  const say = auditLogScreenMessages(visit.site)
  const app = through && html`<br><small>${say('by', { app: actingAppText(through) })}</small>`
  return html`<span>${actorHtml(visit, actorDid, deps)}${app}</span>`
}

function detailsHtml({ details }: AuditLogEntry): Html | string {
  const texts = SHOWN.flatMap((name) => {
    const value = details[name]
    return typeof value === 'string' ? [value] : []
  })
  return texts.length === 0 ? '–' : html`<span>${texts.map((text) => html`<code><bdi>${text}</bdi></code> `)}</span>`
}

/** The screen with the audit log of a profile, for its owner. */
export const auditLogScreen = (deps: AuditLogScreen): Screen => ({
  name: 'auditLog',
  path: '/manage/profiles/:id/audit-log',
  section: 'profile',
  permission: 'audit.read',
  nav: { position: 90 },
  query: ['type', 'outcome', 'actor', 'from', 'to', 'cursor'],
  errors: [invalidCursor],
  title: (page) => auditLogScreenMessages(page)('title'),
  async get(visit) {
    const { site, query, caller } = visit
    const say = auditLogScreenMessages(site)
    const filters = filtersOf(visit)
    const found = await deps.auditLog.list(filters, listedPage(visit), caller)
    const isFiltered = Object.values(query).some((text) => text !== '')
    const columns: readonly Column<AuditLogEntry>[] = [
      { label: say('type'), cell: ({ eventType }) => say(textKey(eventType)) },
      { label: say('actor'), cell: (entry) => byHtml(visit, entry, deps) },
      { label: say('outcome'), cell: ({ outcome }) => html`<span class="tag">${say(`outcome_${outcome}`)}</span>` },
      { label: say('details'), cell: detailsHtml },
      {
        label: say('when'),
        cell: ({ at }) => html`<time datetime="${at.toISOString()}">${momentText(site, at)}</time>`,
      },
    ]
    return {
      lead: say('lead'),
      body: html`${filtersHtml(visit, filters)}${
        found.items.length === 0
          ? emptyHtml(say(isFiltered ? 'noneFound' : 'none'))
          : tableHtml(say('title'), columns, found.items)
      }${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})
