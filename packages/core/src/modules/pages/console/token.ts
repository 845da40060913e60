import { serviceToken } from '../../../framework/module/create-token.ts'
import type { ownerConsole as module } from './module.ts'

/** Names the module `owner-console` in `requires` and `uses`. Importing it loads no code of the module. */
export const ownerConsole = serviceToken<typeof module>(
  'owner-console',
  "import { ownerConsole } from '@eep/core/console'",
)
