import { serviceToken } from '../../../framework/module/create-token.ts'
import type { search as module } from './module.ts'

/** Names the module `search` in `requires` and `uses`. Importing it loads no code of the module. */
export const search = serviceToken<typeof module>('search', "import { search } from '@eep/core/search'")
