import { serviceToken } from '../../../framework/module/create-token.ts'
import type { oauth as module } from './module.ts'

/** Names the module `oauth` in `requires` and `uses`. Importing it loads no code of the module. */
export const oauth = serviceToken<typeof module>('oauth', "import { oauth } from '@eep/core/oauth'")
