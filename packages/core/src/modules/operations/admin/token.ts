import { serviceToken } from '../../../framework/module/create-token.ts'
import type { admin as module } from './module.ts'

/** Names the module `admin` in `requires` and `uses`. Importing it loads no code of the module. */
export const admin = serviceToken<typeof module>('admin', "import { admin } from '@eep/core/admin'")
