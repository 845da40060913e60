import { serviceToken } from '../../../framework/module/create-token.ts'
import type { trust as module } from './module.ts'

/** Names the module `trust` in `requires` and `uses`. Importing it loads no code of the module. */
export const trust = serviceToken<typeof module>('trust')
