import { defineCoreModule } from '../../../framework/module/define-module.ts'
import { subscriptions } from '../../access/subscriptions/module.ts'
import { notifications } from '../../events/notifications/module.ts'
import { workspaces } from '../../insight/workspaces/module.ts'
import { accounts } from '../../people/accounts/module.ts'
import { passkeys } from '../../people/passkeys/module.ts'
import { teams } from '../../people/teams/module.ts'
import { teamInvitations, workspaceInvitations } from './invitation-kinds.ts'
import { accountPageRoutes } from './routes.ts'

/** Pages for people with an account: to sign in, to register, and to see what belongs to the account. */
export const accountPages = defineCoreModule({
  name: 'account-pages',
  requires: [accounts],
  uses: [teams, workspaces, subscriptions, notifications, passkeys],
  routes(app, services, { cookies, trustedOrigins, identityProviders, settings: { auth, pages, planLimits } }) {
    const { accounts, teams, workspaces, notifications, passkeys, subscriptions, pricing } = services
    accountPageRoutes(app, {
      accounts,
      cookies,
      languages: pages.languages,
      ownOrigins: new Set(trustedOrigins),
      providers: identityProviders,
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
