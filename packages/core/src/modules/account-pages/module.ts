import { defineCoreModule } from '../../module/define-module.ts'
import { accounts } from '../accounts/module.ts'
import { notifications } from '../notifications/module.ts'
import { passkeys } from '../passkeys/module.ts'
import { subscriptions } from '../subscriptions/module.ts'
import { teams } from '../teams/module.ts'
import { workspaces } from '../workspaces/module.ts'
import { teamInvitations, workspaceInvitations } from './invitation-kinds.ts'
import { accountPageRoutes } from './routes.ts'

/** Pages for people with an account: to sign in, to register, and to see what belongs to the account. */
export const accountPages = defineCoreModule({
  name: 'account-pages',
  requires: [accounts],
  uses: [teams, workspaces, subscriptions, notifications, passkeys],
  routes(app, services, { cookies, trustedOrigins, moduleNames, settings: { auth, pages, planLimits } }) {
    const { accounts, teams, workspaces, notifications, passkeys, subscriptions, pricing } = services
    accountPageRoutes(app, {
      accounts,
      cookies,
      languages: pages.languages,
      ownOrigins: new Set(trustedOrigins),
      providers: moduleNames.has('oauth') ? auth.oauthProviders.map(({ name }) => name) : [],
      invitationKinds: [
        ...(teams ? [teamInvitations(teams)] : []),
        ...(workspaces ? [workspaceInvitations(workspaces)] : []),
      ],
      transfers: teams?.transfers,
      plans: subscriptions && pricing && { prices: pricing.shown, subscription: subscriptions.get, planLimits },
      notifications,
      passkeys: passkeys?.worksOnPages && !auth.hostAuth ? passkeys : undefined,
      hasSignIn: auth.hostAuth === undefined,
    })
  },
})
