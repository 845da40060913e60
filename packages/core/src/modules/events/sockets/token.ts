import { serviceToken } from '../../../framework/module/create-token.ts'
import type { sockets as module } from './module.ts'

/** Names the module `sockets` in `requires` and `uses`. Importing it loads no code of the module. */
export const sockets = serviceToken<typeof module>('sockets', "import { sockets } from '@eep/core/sockets'")
