import { defineCoreModule } from '../../module/define-module.ts'
import { paywall } from '../paywall/module.ts'
import { profiles } from '../profiles/module.ts'
import { profilePageRoutes } from './routes.ts'

/** Reading profiles through their gates. */
export const profilePages = defineCoreModule({
  name: 'profile-pages',
  requires: [profiles, paywall],
  routes: profilePageRoutes,
})
