import { serviceToken } from '../../../framework/module/create-token.ts'
import type { discovery as module } from './module.ts'

/** Names the module `discovery` in `requires` and `uses`. Importing it loads no code of the module. */
export const discovery = serviceToken<typeof module>('discovery')
