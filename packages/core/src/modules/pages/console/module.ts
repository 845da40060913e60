import { defineModule } from '../../../framework/module/define-module.ts'
import { accounts } from '../../people/accounts/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../../publishing/content/token.ts'
import { files } from '../../publishing/files/token.ts'
import { screenRoutes } from './screen-routes.ts'
import { editProfileScreen } from './screens/edit-profile.ts'
import { newProfileScreen } from './screens/new-profile.ts'

/** Pages on which owners do everything that the API can. */
export const ownerConsole = defineModule({
  name: 'owner-console',
  requires: [profiles, accounts, content],
  uses: [files],
  screens: ({ profiles, files }, { settings }) => [
    newProfileScreen({ profiles }),
    editProfileScreen({
      profiles,
      files: files?.isEnabled ? files : undefined,
      typeData: settings.profiles.typeData,
    }),
  ],
  routes(app, { accounts, profiles, files }, { screens, may, trustedOrigins }) {
    screenRoutes(app, {
      screens,
      accounts,
      profiles,
      may,
      ownOrigins: new Set(trustedOrigins),
      createFormParser: files?.isEnabled ? files.toolkit.createFormParser : undefined,
    })
  },
})
