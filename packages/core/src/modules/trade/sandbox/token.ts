import { serviceToken } from '../../../framework/module/create-token.ts'
import type { sandbox as module } from './module.ts'

/** Names the module `sandbox` in `requires` and `uses`. Importing it loads no code of the module. */
export const sandbox = serviceToken<typeof module>('sandbox', "import { sandbox } from '@eep/core/sandbox'")
