import { serviceToken } from '../../../framework/module/create-token.ts'
import type { delegation as module } from './module.ts'

/** Names the module `delegation` in `requires` and `uses`. Importing it loads no code of the module. */
export const delegation = serviceToken<typeof module>(
  'delegation',
  "import { delegation } from '@eep/core/agent-access'",
)
