import { serviceToken } from '../../../framework/module/create-token.ts'
import type { agents as module } from './module.ts'

/** Names the module `agents` in `requires` and `uses`. Importing it loads no code of the module. */
export const agents = serviceToken<typeof module>('agents')
