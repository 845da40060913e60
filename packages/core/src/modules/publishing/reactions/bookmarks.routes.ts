import { z } from 'zod'
import { html } from '../../../http/html/html.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { buttonForm } from '../../../http/html/page-actions.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { dayText } from '../../../model/day-text.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import { contentPath } from '../content/index.ts'
import { REACTION_FORM } from './forms.routes.ts'
import { reactionMessages } from './messages.ts'
import { ownReactionsQuery } from './schemas.ts'
import type { PlacedReaction, ReactionService } from './service.ts'

/** The path of the page with the bookmarks of an account. */
const BOOKMARKS_PATH = '/account/bookmarks'

const LIMIT = 30

const pathOf = (page: number) => (page === 1 ? BOOKMARKS_PATH : `${BOOKMARKS_PATH}?page=${page}`)

function bookmarksView(site: Site, page: number, items: readonly PlacedReaction[], total: number): HtmlView {
  const say = reactionMessages(site)
  const row = ({
    page: { id, title },
    profile,
    slugs,
    createdAt,
  }: PlacedReaction) => html`<li><strong><a href="${hrefOn(site, contentPath(profile, slugs))}"><bdi>${title}</bdi></a></strong>
<small><a href="${hrefOn(site, profilePath(profile))}"><bdi>${profile.username}</bdi></a> · <time datetime="${createdAt.toISOString()}">${dayText(site, createdAt)}</time></small>
<div class="acts">${buttonForm(site, {
    action: 'bookmark',
    id,
    path: REACTION_FORM,
    next: pathOf(page),
    fields: { page: String(id), kind: 'bookmark', on: '0' },
    label: html`${say('remove')}<span class="sr-only">: ${title}</span>`,
  })}</div></li>\n`
  return {
    title: say('bookmarks'),
    head: html`<h1>${say('bookmarks')}</h1>
${items.length > 0 ? html`<ul class="rows">${items.map(row)}</ul>` : emptyHtml(say('noBookmarks'))}
${page * LIMIT < total && html`<p><a rel="next" href="${hrefOn(site, pathOf(page + 1))}">${say('older')}</a></p>`}`,
  }
}

/** The page with the pages that an account bookmarked and may still see. */
export function bookmarksPage(app: EepRoutes, reactions: Pick<ReactionService, 'listOfCaller'>): void {
  app.get(
    BOOKMARKS_PATH,
    {
      config: pageConfig({
        operationId: 'getBookmarksPage',
        summary: 'Get the page with the bookmarks of the caller',
      }),
      schema: {
        querystring: ownReactionsQuery.pick({ page: true }),
        response: { 200: z.string(), 303: z.undefined() },
      },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { page } = request.query
      const { items, total } = await reactions.listOfCaller('bookmark', { page, limit: LIMIT }, caller)
      return sendPage(request, reply, bookmarksView(request.eep.site, page, items, total))
    },
  )
}
