import { defineModule } from '../../../framework/module/define-module.ts'
import { notifications } from '../../events/notifications/token.ts'
import { workspaces } from '../../insight/workspaces/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import { passkeys } from '../../people/passkeys/token.ts'
import { teams } from '../../people/teams/token.ts'
import { wallets } from '../../people/wallets/token.ts'
import { createAskAgain } from './ask-again.ts'
import { teamInvitations, workspaceInvitations } from './invitation-kinds.ts'
import { accountPageRoutes } from './routes.ts'

/** Pages for people with an account: to sign in, to register, and to see what belongs to the account. */
export const accountPages = defineModule({
  name: 'account-pages',
  requires: [accounts],
  uses: [teams, workspaces, notifications, passkeys, wallets],
  routes(app, services, { clock, cookies, trustedOrigins, identityProviders, settings: { auth, pages } }) {
    const { accounts, teams, workspaces, notifications, passkeys, payouts } = services
    const usedPasskeys = passkeys?.worksOnPages && !auth.hostAuth ? passkeys : undefined
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
      payouts,
      notifications,
      passkeys: usedPasskeys,
      askAgain: createAskAgain({ accounts, passkeys: usedPasskeys, clock }),
      hasSignIn: auth.hostAuth === undefined,
    })
  },
})
