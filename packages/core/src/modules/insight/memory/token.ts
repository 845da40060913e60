import { serviceToken } from '../../../framework/module/create-token.ts'
import type { memory as module } from './module.ts'

/** Names the module `memory` in `requires` and `uses`. Importing it loads no code of the module. */
export const memory = serviceToken<typeof module>('memory', "import { memory } from '@eep/core/memory'")
