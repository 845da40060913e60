import { serviceToken } from '../../../framework/module/create-token.ts'
import type { passkeys as module } from './module.ts'

/** Names the module `passkeys` in `requires` and `uses`. Importing it loads no code of the module. */
export const passkeys = serviceToken<typeof module>('passkeys', "import { passkeys } from '@eep/core/passkeys'")
