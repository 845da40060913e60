import { serviceToken } from '../../../framework/module/create-token.ts'
import type { profiles as module } from './module.ts'

/** Names the module `profiles` in `requires` and `uses`. Importing it loads no code of the module. */
export const profiles = serviceToken<typeof module>('profiles')
