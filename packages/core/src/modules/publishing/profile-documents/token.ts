import { serviceToken } from '../../../framework/module/create-token.ts'
import type { profilePages as module } from './module.ts'

/** Names the module `profile-pages` in `requires` and `uses`. Importing it loads no code of the module. */
export const profilePages = serviceToken<typeof module>('profile-pages')
