import { serviceToken } from '../../../framework/module/create-token.ts'
import type { gateSessions as module } from './module.ts'

/** Names the module `gate-sessions` in `requires` and `uses`. Importing it loads no code of the module. */
export const gateSessions = serviceToken<typeof module>('gate-sessions')
