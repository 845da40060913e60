import { serviceToken } from '../../../framework/module/create-token.ts'
import type { signals as module } from './module.ts'

/** Names the module `signals` in `requires` and `uses`. Importing it loads no code of the module. */
export const signals = serviceToken<typeof module>('signals', "import { signals } from '@eep/core/signals'")
