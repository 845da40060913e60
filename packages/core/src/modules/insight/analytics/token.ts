import { serviceToken } from '../../../framework/module/create-token.ts'
import type { analytics as module } from './module.ts'

/** Names the module `analytics` in `requires` and `uses`. Importing it loads no code of the module. */
export const analytics = serviceToken<typeof module>('analytics', "import { analytics } from '@eep/core/analytics'")
