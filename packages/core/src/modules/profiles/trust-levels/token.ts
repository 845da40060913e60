import { serviceToken } from '../../../framework/module/create-token.ts'
import type { trustLevels as module } from './module.ts'

/** Names the module `trust-levels` in `requires` and `uses`. Importing it loads no code of the module. */
export const trustLevels = serviceToken<typeof module>('trust-levels')
