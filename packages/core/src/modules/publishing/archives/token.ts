import { serviceToken } from '../../../framework/module/create-token.ts'
import type { archives as module } from './module.ts'

/** Names the module `archives` in `requires` and `uses`. Importing it loads no code of the module. */
export const archives = serviceToken<typeof module>('archives', "import { archives } from '@eep/core/archives'")
