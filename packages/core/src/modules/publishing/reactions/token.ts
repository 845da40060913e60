import { serviceToken } from '../../../framework/module/create-token.ts'
import type { reactions as module } from './module.ts'

/** Names the module `reactions` in `requires` and `uses`. Importing it loads no code of the module. */
export const reactions = serviceToken<typeof module>('reactions', "import { reactions } from '@eep/core/reactions'")
