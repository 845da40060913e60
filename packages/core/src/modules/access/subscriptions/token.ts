import { serviceToken } from '../../../framework/module/create-token.ts'
import type { subscriptions as module } from './module.ts'

/** Names the module `subscriptions` in `requires` and `uses`. Importing it loads no code of the module. */
export const subscriptions = serviceToken<typeof module>(
  'subscriptions',
  "import { subscriptions } from '@eep/core/subscriptions'",
)
