import { serviceToken } from '../../../framework/module/create-token.ts'
import type { wallets as module } from './module.ts'

/** Names the module `wallets` in `requires` and `uses`. Importing it loads no code of the module. */
export const wallets = serviceToken<typeof module>('wallets')
