import { serviceToken } from '../../../framework/module/create-token.ts'
import type { gates as module } from './module.ts'

/** Names the module `gates` in `requires` and `uses`. Importing it loads no code of the module. */
export const gates = serviceToken<typeof module>('gates')
