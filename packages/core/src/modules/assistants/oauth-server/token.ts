import { serviceToken } from '../../../framework/module/create-token.ts'
import type { oauthServer as module } from './module.ts'

/** Names the module `oauth-server` in `requires` and `uses`. Importing it loads no code of the module. */
export const oauthServer = serviceToken<typeof module>(
  'oauth-server',
  "import { oauthServer } from '@eep/core/oauth-server'",
)
