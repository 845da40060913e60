import { serviceToken } from '../../../framework/module/create-token.ts'
import type { usage as module } from './module.ts'

/** Names the module `usage` in `requires` and `uses`. Importing it loads no code of the module. */
export const usage = serviceToken<typeof module>('usage', "import { usage } from '@eep/core/usage'")
