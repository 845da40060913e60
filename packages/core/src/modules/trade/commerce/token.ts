import { serviceToken } from '../../../framework/module/create-token.ts'
import type { commerce as module } from './module.ts'

/** Names the module `commerce` in `requires` and `uses`. Importing it loads no code of the module. */
export const commerce = serviceToken<typeof module>('commerce', "import { commerce } from '@eep/core/commerce'")
