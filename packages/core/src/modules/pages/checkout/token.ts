import { serviceToken } from '../../../framework/module/create-token.ts'
import type { checkout as module } from './module.ts'

/** Names the module `checkout` in `requires` and `uses`. Importing it loads no code of the module. */
export const checkout = serviceToken<typeof module>('checkout')
