import type { Screen } from '../../../../framework/module/screen.ts'
import { listedPage, nextPageHtml } from '../../../../framework/module/screen-list.ts'
import { html } from '../../../../http/html/html.ts'
import { lineHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { momentText } from '../../../../model/day-text.ts'
import { adminMessages } from '../messages.ts'
import type { AdminService } from '../service.ts'
import { ACCOUNTS_PATH } from './accounts.ts'

/** The path of the screen with what administrators changed. */
export const CHANGES_PATH = '/admin/changes'

/** What administrators changed, as they wrote it into the audit log. */
const textOf = (value: unknown) => JSON.stringify(value, undefined, 1)

/** The screen with what administrators changed. */
export const changesScreen = ({ admin }: { readonly admin: Pick<AdminService, 'audit'> }): Screen => ({
  name: 'adminChanges',
  path: CHANGES_PATH,
  section: 'admin',
  nav: { position: 70, label: (page) => adminMessages(page)('changesShort') },
  query: ['target', 'cursor'],
  title: (page) => adminMessages(page)('changes'),
  async get(visit) {
    const { site, path, query } = visit
    const say = adminMessages(site)
    const target = query.target?.trim() || undefined
    const found = await admin.audit({ target }, listedPage(visit))
    return {
      lead: say('changesLead'),
      body: html`<form method="get" action="${hrefOn(site, path)}" role="search" class="filters">${lineHtml({ name: 'target', label: say('target'), value: query.target ?? '', maxLength: 128, isExact: true })}<p class="field"><button class="second" type="submit">${say('search')}</button></p></form>
${
  found.items.length === 0
    ? emptyHtml(say('noChanges'))
    : html`<ul class="rows">${found.items.map(
        ({ actorAccountId, action, target: changed, before, after, at }) =>
          html`<li><strong><code>${action}</code></strong> <code>${changed}</code><p class="soft"><time datetime="${at.toISOString()}">${momentText(site, at)}</time> · ${
            actorAccountId === null
              ? say('operator')
              : html`<a href="${hrefOn(site, `${ACCOUNTS_PATH}/${actorAccountId}`)}">${say('by')}</a>`
          }</p><details><summary>${say('values')}</summary><div class="mine"><div><h3>${say('before')}</h3><pre>${textOf(before)}</pre></div><div><h3>${say('after')}</h3><pre>${textOf(after)}</pre></div></div></details></li>\n`,
      )}</ul>`
}${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})
