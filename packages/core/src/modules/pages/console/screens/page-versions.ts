import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { buttonOnly } from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { fileQuotaReached } from '../../../../kernel/errors.ts'
import { actingAppText } from '../../../../model/acting-app-text.ts'
import { momentText } from '../../../../model/day-text.ts'
import {
  bodyDiff,
  type ContentService,
  diffBusy,
  gatePermissionRequired,
  pageNotFound,
  preconditionFailed,
  versionNotFound,
  versionTag,
} from '../../../publishing/content/index.ts'
import { contentListPath, editorPath } from '../content/content-html.ts'
import { contentMessages, editorMessages } from '../messages.ts'
import { oneId } from '../values.ts'

const MAX_LISTED = 50

/** Writes a line of a difference. Lines with a backslash are about the end of the text. */
function lineOfDiff(text: string): Html {
  const [mark, rest] = [text.charAt(0), text.slice(1)]
  if (mark === '+') return html`<ins>+ ${rest}</ins>`
  return mark === '-' ? html`<del>− ${rest}</del>` : html`<span>  ${rest}</span>`
}

/** The screen with the versions of a page: what each changed, and a way back to it. */
export function pageVersionsScreen({ pages, versions }: Pick<ContentService, 'pages' | 'versions'>): Screen {
  async function ownPage({ profile, caller, number }: ProfileVisit) {
    const { page } = await pages.get(number('page'), caller)
    if (page.profileId !== profile.id) throw pageNotFound()
    return page
  }

  /** Writes what a version changed. */
  async function changesHtml(visit: ProfileVisit, pageId: number, version: number): Promise<Html> {
    const say = editorMessages(visit.site)
    const { from, to, body } = await versions.diff(pageId, { to: version }, visit.caller)
    const { hunks } = bodyDiff.parse(JSON.parse(Buffer.from(body).toString('utf8')))
    const isRetitled = from !== undefined && from.title !== to.title
    return html`<section class="card"><h2>${say('changesOf', { version })}</h2>${isRetitled && html`<p>${say('retitled', { from: from.title, to: to.title })}</p>`}${
      hunks.length === 0
        ? html`<p class="soft">${say('sameText')}</p>`
        : html`<pre class="diff" dir="auto">${hunks.map(({ lines }, index) => [index > 0 && html`<span>…</span>`, lines.filter((line) => !line.startsWith('\\')).map(lineOfDiff)])}</pre>`
    }</section>\n`
  }

  return {
    name: 'pageVersions',
    path: '/manage/profiles/:id/pages/:page/versions',
    section: 'profile',
    within: 'content',
    permission: 'content.read_drafts',
    errors: [pageNotFound, versionNotFound, preconditionFailed, gatePermissionRequired, diffBusy, fileQuotaReached],
    query: ['version'],
    title: (page) => editorMessages(page)('versions'),
    said: (outcome, page) => (outcome === 'restored' ? editorMessages(page)('did_restored') : undefined),
    post: {
      restore: screenAction({
        permission: 'content.edit',
        schema: z.object({ version: oneId, current: oneId }),
        async run(visit: ProfileVisit, { version, current }) {
          const { id } = await ownPage(visit)
          await versions.restore(id, version, visit.caller, versionTag(current))
          return { to: visit.path, said: 'restored' }
        },
      }),
    },
    async get(visit) {
      const { profile, caller, query, site } = visit
      const say = editorMessages(site)
      const page = await ownPage(visit)
      const { items } = await versions.list(page.id, { limit: MAX_LISTED }, caller)
      const shown = oneId.safeParse(query.version).data
      const rows = items.map(
        ({ version, title, createdAt, through }) =>
          html`<tr><th scope="row"><a href="${hrefOn(site, `${visit.path}?version=${version}`)}">${say('version', { version })}</a></th><td data-th="${say('title')}"><bdi>${title}</bdi>${through && html`<br><small class="soft">${say('by', { app: actingAppText(through) })}</small>`}</td><td data-th="${say('savedAt')}" class="num"><time datetime="${createdAt.toISOString()}">${momentText(site, createdAt)}</time></td>${visit.allows('restore') && html`<td data-th="${contentMessages(site)('actions')}"><span class="acts">${version !== page.version && buttonOnly(visit, 'restore', say('restore'), { version: String(version), current: String(page.version) })}</span></td>`}</tr>\n`,
      )
      return {
        crumbs: [
          { name: contentMessages(site)('content'), href: contentListPath(profile.id) },
          { name: page.title, href: editorPath(profile.id, page.id) },
        ],
        body: html`${shown !== undefined && (await changesHtml(visit, page.id, shown))}<table class="stack"><thead><tr><th scope="col">${say('versionName')}</th><th scope="col">${say('title')}</th><th scope="col" class="num">${say('savedAt')}</th>${visit.allows('restore') && html`<th scope="col">${contentMessages(site)('actions')}</th>`}</tr></thead><tbody>
${rows}</tbody></table>`,
      }
    },
  }
}
