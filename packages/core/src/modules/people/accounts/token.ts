import { serviceToken } from '../../../framework/module/create-token.ts'
import type { accounts as module } from './module.ts'

/** Names the module `accounts` in `requires` and `uses`. Importing it loads no code of the module. */
export const accounts = serviceToken<typeof module>('accounts')
