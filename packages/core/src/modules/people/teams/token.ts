import { serviceToken } from '../../../framework/module/create-token.ts'
import type { teams as module } from './module.ts'

/** Names the module `teams` in `requires` and `uses`. Importing it loads no code of the module. */
export const teams = serviceToken<typeof module>('teams')
