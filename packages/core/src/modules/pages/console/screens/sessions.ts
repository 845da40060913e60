import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, isChosen, ofForm, screenForm } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import type { AccountService, AppsOfSessions, ListedSession } from '../../../people/accounts/index.ts'
import { endAppsHtml, endsApps } from '../account/end-apps-html.ts'
import { sessionsScreenMessages } from '../messages.ts'

const SESSIONS_PATH = '/account/sessions'
const OUTCOMES = ['ended', 'allEnded'] as const
const SAID = new Map([
  ['ended', OUTCOMES[0]],
  ['all_ended', OUTCOMES[1]],
])

export interface SessionsScreen {
  readonly accounts: Pick<AccountService, 'listSessions' | 'endSession' | 'endOtherSessions'>
  /** The apps that were connected in sessions. Undefined while accounts cannot connect apps. */
  readonly apps: AppsOfSessions | undefined
}

const actionsOf = ({ accounts, apps }: SessionsScreen) => ({
  end: screenAction({
    schema: z.object({ session: z.string().max(64), apps: endsApps }),
    async run({ caller, path }: ScreenVisit, { session, apps: isWithApps }) {
      try {
        await accounts.endSession(session, caller)
      } finally {
        // Also for a session that has ended, so that a repeated form does what the first one could not.
        if (isWithApps) await apps?.endOfSessions(caller, { id: session })
      }
      if (session === caller.sessionId) return { to: '/', session: 'ended' as const }
      return { to: path, said: 'ended' }
    },
  }),
  endOthers: screenAction({
    schema: z.object({ apps: endsApps }),
    async run({ caller, path }: ScreenVisit, { apps: isWithApps }) {
      await accounts.endOtherSessions(caller)
      if (isWithApps) await apps?.endOfSessions(caller, { except: caller.sessionId })
      return { to: path, said: 'all_ended' }
    },
  }),
})

/** The browser and the system of a session, or the program that began it. */
function deviceText({ site }: ScreenVisit, { userAgent }: ListedSession): string | Html {
  const say = sessionsScreenMessages(site)
  if (userAgent === null) return say('unknown')
  const [browser = userAgent, system] = userAgent.split(' on ')
  return system === undefined ? html`<bdi>${browser}</bdi>` : say('device', { browser, system })
}

/** Whether the box of a form is ticked: as it was sent, else yes. */
const isTicked = (visit: ScreenVisit, action: string, among: Readonly<Record<string, string>> = {}) =>
  isChosen(ofForm(visit, [action], among), 'apps', 'yes', true)

function columnsOf(visit: ScreenVisit, withApps: ReadonlySet<string>): readonly Column<ListedSession>[] {
  const { site } = visit
  const say = sessionsScreenMessages(site)
  return [
    {
      label: say('where'),
      cell: (session) =>
        html`<strong>${deviceText(visit, session)}</strong>${session.isCurrent && html` <span class="tag ok">${say('this')}</span>`}${!session.uses.includes('cookie') && html`<br><small>${say('program')}</small>`}`,
    },
    { label: say('used'), cell: ({ lastUsedAt }) => momentText(site, lastUsedAt) },
    { label: say('begun'), cell: ({ createdAt }) => dayText(site, createdAt) },
    { label: say('expires'), cell: ({ expiresAt }) => dayText(site, expiresAt) },
    {
      label: '',
      cell: ({ id, isCurrent }) =>
        !isCurrent &&
        html`${screenForm(
          visit,
          { actions: ['end'], among: { session: id } },
          html`${withApps.has(id) && endAppsHtml(site, `apps-${id}`, isTicked(visit, 'end', { session: id }))}${actionButton(visit, 'end', say('end'), 'second')}`,
        )}`,
    },
  ]
}

/** The screen with the sessions of an account: where it is signed in, and signing out elsewhere. */
export const sessionsScreen = (deps: SessionsScreen): Screen => ({
  name: 'accountSessions',
  path: SESSIONS_PATH,
  section: 'account',
  nav: { position: 30 },
  query: ['cursor'],
  errors: [invalidCursor],
  title: (page) => sessionsScreenMessages(page)('title'),
  said(outcome, page) {
    const key = SAID.get(outcome)
    return key && sessionsScreenMessages(page)(key)
  },
  problem: ({ code }, page) => (code === 'session_not_found' ? sessionsScreenMessages(page)('gone') : undefined),
  post: actionsOf(deps),
  async get(visit) {
    const say = sessionsScreenMessages(visit.site)
    const [sessions, withApps = new Set<string>()] = await Promise.all([
      deps.accounts.listSessions(visit.caller, listedPage(visit)),
      deps.apps?.sessionsOf(visit.caller),
    ])
    const hasAppsElsewhere = [...withApps].some((id) => id !== visit.caller.sessionId)
    const others = html`${hasAppsElsewhere && endAppsHtml(visit.site, 'apps-others', isTicked(visit, 'endOthers'))}${actionButton(visit, 'endOthers', say('endOthers'), 'danger')}`
    const hasOthers = sessions.total > 1
    return {
      lead: say('lead'),
      body: html`${tableHtml(say('title'), columnsOf(visit, withApps), sessions.items)}${nextPageHtml(visit, sessions, say('next'))}${hasOthers ? html`<section class="card"><h2>${say('others')}</h2><p>${say('othersHint')}</p>${screenForm(visit, { actions: ['endOthers'] }, others)}</section>\n` : html`<p class="soft">${say('only')}</p>\n`}`,
    }
  },
})
