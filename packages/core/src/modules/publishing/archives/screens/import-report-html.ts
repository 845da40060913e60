import type { ScreenVisit } from '../../../../framework/module/screen.ts'
import { type Column, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import type { Site } from '../../../../http/html/view.ts'
import { momentText } from '../../../../model/day-text.ts'
import { PREFIX_BY_TYPE } from '../../../../model/profile-type.ts'
import type { ImportReport } from '../import-report.ts'
import { importScreenMessages } from '../messages.ts'

const COUNTS = [
  'categories',
  'pages',
  'versions',
  'files',
  'gates',
  'sections',
  'services',
  'posts',
  'connections',
  'memory_sessions',
  'memory_entries',
] as const

const REASONS = [
  'reply_target_missing',
  'too_many_links',
  'post_limit_reached',
  'posting_closed',
  'profile_not_found',
  'follower',
  'follow_limit_reached',
  'expired',
  'too_many_memory_sessions',
  'memory_full',
] as const

const PROBLEMS = ['username_taken', 'username_reserved'] as const

const FAILURES = [
  'invalid_archive',
  'archive_tampered',
  'archive_too_large',
  'file_quota_reached',
  'file_too_large',
  'file_type_mismatch',
  'file_infected',
] as const

/** Returns the known name that a text is; undefined when it is none. */
const oneOf = <Name extends string>(names: readonly Name[], text: string): Name | undefined =>
  names.find((name) => name === text)

/** What a service calls a thing without words for people, such as one that a module of the host has added. */
const nameHtml = (name: string): Html => html`<code lang="en">${name}</code>`

function factsHtml(
  site: Site,
  { profile, issuer, exported_at: exportedAt, signed_by: signedBy, counts }: ImportReport,
) {
  const say = importScreenMessages(site)
  const label = (name: string) => {
    const known = oneOf(COUNTS, name)
    return known ? say(`count_${known}`) : nameHtml(name)
  }
  const numbers = Object.entries(counts).filter(([, count]) => count > 0)
  return html`<dl class="facts"><dt>${say('address')}</dt><dd><bdi>/${PREFIX_BY_TYPE[profile.profile_type]}/${profile.username}</bdi></dd>${numbers.map(([name, count]) => html`<dt>${label(name)}</dt><dd>${count.toLocaleString(site.language)}</dd>`)}<dt>${say('from')}</dt><dd><bdi>${issuer}</bdi></dd><dt>${say('exportedAt')}</dt><dd>${momentText(site, new Date(exportedAt))}</dd><dt>${say('signature')}</dt><dd>${say(signedBy)}</dd></dl>\n`
}

function skippedHtml(site: Site, report: ImportReport): Html | false {
  const say = importScreenMessages(site)
  const { skipped, skipped_items: items, skipped_items_count: count } = report
  const columns: readonly Column<(typeof items)[number]>[] = [
    { label: say('item'), cell: ({ item }) => html`<bdi>${item}</bdi>` },
    { label: say('member'), cell: ({ member }) => nameHtml(member) },
    {
      label: say('reason'),
      cell: ({ reason }) => {
        const known = oneOf(REASONS, reason)
        return known ? say(`reason_${known}`) : nameHtml(reason)
      },
    },
  ]
  return html`${skipped.length > 0 && html`<p class="soft">${say('skipped')} ${skipped.map((path) => html`${nameHtml(path)} `)}${report.skipped_count > skipped.length && say('more', { count: report.skipped_count - skipped.length })}</p>\n`}${
    items.length > 0 &&
    html`<details><summary>${say('skippedItems')} (${count.toLocaleString(site.language)})</summary>${tableHtml(say('skippedItems'), columns, items)}${count > items.length && html`<p>${say('more', { count: count - items.length })}</p>`}</details>\n`
  }`
}

function warningsHtml(site: Site, { warnings }: ImportReport): Html | false {
  if (warnings.length === 0) return false
  const say = importScreenMessages(site)
  const text = (code: string) => (code === 'price_not_payable' ? say('warning_price_not_payable') : nameHtml(code))
  return html`<h3>${say('warnings')}</h3><ul>${warnings.map(({ code, item }) => html`<li><bdi>${item}</bdi>: ${text(code)}</li>`)}</ul>\n`
}

/** Writes what an import creates or has created, what it leaves out, and what would make it fail. */
export function reportHtml({ site }: Pick<ScreenVisit, 'site'>, report: ImportReport): Html {
  const say = importScreenMessages(site)
  const problems = report.problems.map(({ code, message }) => {
    const known = oneOf(PROBLEMS, code)
    return html`<div class="notice"><p>${known ? say(`problem_${known}`) : message}</p></div>\n`
  })
  return html`${problems}<h2>${say(report.dry_run ? 'willCreate' : 'wasCreated')}</h2>
${factsHtml(site, report)}${warningsHtml(site, report)}${skippedHtml(site, report)}`
}

/** Writes why an import failed: in words, and the message of the service, which names the part. */
export function failureHtml(site: Site, { code, message }: { readonly code: string; readonly message: string }): Html {
  const say = importScreenMessages(site)
  const [failure, problem] = [oneOf(FAILURES, code), oneOf(PROBLEMS, code)]
  const text = failure ? say(`failed_${failure}`) : problem ? say(`problem_${problem}`) : say('failed_unknown')
  return html`<div class="notice"><p>${text}</p><p><small lang="en"><bdi>${message}</bdi></small></p></div>\n`
}
