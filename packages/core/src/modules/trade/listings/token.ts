import { serviceToken } from '../../../framework/module/create-token.ts'
import type { listings as module } from './module.ts'

/** Names the module `listings` in `requires` and `uses`. Importing it loads no code of the module. */
export const listings = serviceToken<typeof module>('listings', "import { listings } from '@eep/core/listings'")
