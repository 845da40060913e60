import { serviceToken } from '../../../framework/module/create-token.ts'
import type { paywall as module } from './module.ts'

/** Names the module `paywall` in `requires` and `uses`. Importing it loads no code of the module. */
export const paywall = serviceToken<typeof module>('paywall')
