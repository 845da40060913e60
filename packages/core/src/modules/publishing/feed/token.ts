import { serviceToken } from '../../../framework/module/create-token.ts'
import type { feed as module } from './module.ts'

/** Names the module `feed` in `requires` and `uses`. Importing it loads no code of the module. */
export const feed = serviceToken<typeof module>('feed', "import { feed } from '@eep/core/feed'")
