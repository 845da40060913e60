import { serviceToken } from '../../../framework/module/create-token.ts'
import type { media as module } from './module.ts'

/** Names the module `media` in `requires` and `uses`. Importing it loads no code of the module. */
export const media = serviceToken<typeof module>('media', "import { media } from '@eep/core/files/media'")
