import { defineCoreModule } from '../../../framework/module/define-module.ts'
import { paywall } from '../../access/paywall/module.ts'
import { profiles } from '../../profiles/profiles/module.ts'
import { profilePageRoutes } from './routes.ts'

/** Reading profiles through their gates. */
export const profilePages = defineCoreModule({
  name: 'profile-pages',
  requires: [profiles, paywall],
  routes: profilePageRoutes,
})
