import { serviceToken } from '../../../framework/module/create-token.ts'
import type { accountPages as module } from './module.ts'

/** Names the module `account-pages` in `requires` and `uses`. Importing it loads no code of the module. */
export const accountPages = serviceToken<typeof module>('account-pages')
