import { defineModule } from '../../../framework/module/define-module.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { files } from '../files/token.ts'
import { profileResources } from './profile-resources.ts'
import { profilePageRoutes } from './routes.ts'

/** Reading profiles through their gates. */
export const profilePages = defineModule({
  name: 'profile-pages',
  requires: [profiles, paywall],
  uses: [files],
  resources: ({ profiles }, context) => profileResources(profiles, context),
  routes: profilePageRoutes,
})
