import { defineCoreModule } from '../../module/define-module.ts'
import { accounts } from '../accounts/module.ts'
import { teams } from '../teams/module.ts'
import { workspaces } from '../workspaces/module.ts'
import { teamInvitations, workspaceInvitations } from './invitation-kinds.ts'
import { accountPageRoutes } from './routes.ts'

/** Pages for people with an account: to sign in, to register, and to see what belongs to the account. */
export const accountPages = defineCoreModule({
  name: 'account-pages',
  requires: [accounts],
  uses: [teams, workspaces],
  routes(app, { accounts, teams, workspaces }, { cookies, trustedOrigins, moduleNames, settings: { auth } }) {
    accountPageRoutes(app, {
      accounts,
      cookies,
      ownOrigins: new Set(trustedOrigins),
      providers: moduleNames.has('oauth') ? auth.oauthProviders.map(({ name }) => name) : [],
      invitationKinds: [
        ...(teams ? [teamInvitations(teams)] : []),
        ...(workspaces ? [workspaceInvitations(workspaces)] : []),
      ],
      transfers: teams?.transfers,
      hasSignIn: auth.hostAuth === undefined,
    })
  },
})
