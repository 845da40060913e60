import { defineCoreModule } from '../../module/define-module.ts'
import { accounts } from '../accounts/module.ts'
import { accountPageRoutes } from './routes.ts'

/** Pages for people with an account: to sign in, to register, and to see what belongs to the account. */
export const accountPages = defineCoreModule({
  name: 'account-pages',
  requires: [accounts],
  routes(app, { accounts }, { cookies, trustedOrigins, moduleNames, settings: { auth } }) {
    accountPageRoutes(app, {
      accounts,
      cookies,
      ownOrigins: new Set(trustedOrigins),
      providers: moduleNames.has('oauth') ? auth.oauthProviders.map(({ name }) => name) : [],
      hasSignIn: auth.hostAuth === undefined,
    })
  },
})
