import { serviceToken } from '../../../framework/module/create-token.ts'
import type { connections as module } from './module.ts'

/** Names the module `connections` in `requires` and `uses`. Importing it loads no code of the module. */
export const connections = serviceToken<typeof module>('connections')
