import { serviceToken } from '../../../framework/module/create-token.ts'
import type { notifications as module } from './module.ts'

/** Names the module `notifications` in `requires` and `uses`. Importing it loads no code of the module. */
export const notifications = serviceToken<typeof module>(
  'notifications',
  "import { notifications } from '@eep/core/notifications'",
)
