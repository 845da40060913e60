import type { ScreenVisit } from '../../../../framework/module/screen.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import type { AppConnection } from '../../../../ports/storage/connected-apps.ts'
import type { ProfileOfAccount } from '../../../../ports/storage/teams.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import { connectedAppsMessages } from '../messages.ts'
import type { DescribeScopes } from '../scope-inputs-html.ts'
import type { ConnectedAppsService } from './service.ts'

/** The path of the screen with connected apps. Browsers that open `/account/apps` are sent there. */
export const APPS_PAGE_PATH = '/account/connected-apps'

export interface ConnectedAppsScreens {
  readonly connectedApps: ConnectedAppsService
  readonly accounts: Pick<AccountService, 'me'>
  readonly describe: DescribeScopes
  /** The scopes that apps can get. */
  readonly grantable: readonly string[]
}

/** The name of an app, with how far it is known. */
export function appNameHtml({ site }: ScreenVisit, { app }: Pick<AppConnection, 'app'>): Html {
  const say = connectedAppsMessages(site)
  const mark =
    app.kind === 'configured'
      ? html`<span class="tag ok">${say('configured')}</span>`
      : app.verified
        ? html`<span class="tag ok">${say('verified')}</span>`
        : html`<span class="tag bad">${say('unverified')}</span>`
  return html`<strong><bdi>${app.name || app.clientId}</bdi></strong> ${mark}${app.host !== null && html`<br><small><bdi>${app.host}</bdi></small>`}`
}

/** The profile that an app acts for. */
export function reachText({ site }: ScreenVisit, { profileId }: AppConnection, profiles: readonly ProfileOfAccount[]) {
  const say = connectedAppsMessages(site)
  if (profileId === null) return say('allProfiles')
  const actingProfile = profiles.find(({ profile }) => profile.id === profileId)?.profile
  return actingProfile
    ? say('actsFor', { profile: actingProfile.fullName ?? actingProfile.username })
    : say('goneProfile')
}
