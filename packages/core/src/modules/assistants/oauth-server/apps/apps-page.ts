import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { buttonOnly } from '../../../../framework/module/screen-form.ts'
import { listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { AppConnection } from '../../../../ports/storage/connected-apps.ts'
import type { ProfileOfAccount } from '../../../../ports/storage/teams.ts'
import { connectedAppsMessages } from '../messages.ts'
import { APPS_PAGE_PATH, appNameHtml, type ConnectedAppsScreens, reachText } from './app-html.ts'
import { appScreen } from './app-page.ts'

/** Whether an app was used since it was connected. Connecting it counts as a use. */
const wasUsed = ({ lastUsedAt, createdAt }: AppConnection) => lastUsedAt > createdAt

function appsHtml(
  visit: ScreenVisit,
  { describe }: Pick<ConnectedAppsScreens, 'describe'>,
  connections: readonly AppConnection[],
  profiles: readonly ProfileOfAccount[],
): Html {
  const { site } = visit
  const say = connectedAppsMessages(site)
  return tableHtml<AppConnection>(
    say('title'),
    [
      { label: say('app'), cell: (each) => appNameHtml(visit, each) },
      {
        label: say('may'),
        cell: (each) =>
          html`<details><summary>${say('scopeCount', { count: each.scopes.length })}</summary><ul>${describe(site, each.scopes).map(({ words }) => html`<li>${words}</li>`)}</ul></details><small>${reachText(visit, each, profiles)}</small>`,
      },
      { label: say('used'), cell: (each) => (wasUsed(each) ? dayText(site, each.lastUsedAt) : say('neverUsed')) },
      { label: say('ends'), cell: ({ idleEndsAt }) => dayText(site, idleEndsAt) },
      {
        label: '',
        cell: ({ id }) => html`<a href="${hrefOn(site, `${APPS_PAGE_PATH}/${id}`)}">${say('change')}</a>`,
      },
    ],
    connections,
  )
}

/** The screen that lists connected apps. */
const listScreen = (deps: ConnectedAppsScreens): Screen => ({
  name: 'connectedApps',
  path: APPS_PAGE_PATH,
  section: 'account',
  nav: { position: 65 },
  query: ['cursor'],
  errors: [invalidCursor],
  title: (page) => connectedAppsMessages(page)('title'),
  said: (outcome, page) =>
    outcome === 'all_disconnected' ? connectedAppsMessages(page)('allDisconnected') : undefined,
  post: {
    endAll: screenAction({
      schema: z.object({}),
      async run({ caller, path }: ScreenVisit) {
        await deps.connectedApps.endAll(caller)
        return { to: path, said: 'all_disconnected' }
      },
    }),
  },
  async get(visit) {
    const { site, caller } = visit
    const say = connectedAppsMessages(site)
    const [connections, { profiles }] = await Promise.all([
      deps.connectedApps.list(caller, listedPage(visit)),
      deps.accounts.me(caller),
    ])
    if (connections.total === 0) return { lead: say('lead'), body: emptyHtml(say('none')) }
    return {
      lead: say('lead'),
      body: html`${appsHtml(visit, deps, connections.items, profiles)}${nextPageHtml(visit, connections, say('next'))}<section class="card"><h2>${say('allTitle')}</h2><p>${say('allHint')}</p>${buttonOnly(visit, 'endAll', say('disconnectAll'), {}, 'danger')}</section>\n`,
    }
  },
})

/** The screens with connected apps: their list, and one app. */
export const connectedAppsScreens = (deps: ConnectedAppsScreens): readonly Screen[] => [
  listScreen(deps),
  appScreen(deps),
]
