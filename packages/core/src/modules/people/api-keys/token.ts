import { serviceToken } from '../../../framework/module/create-token.ts'
import type { apiKeys as module } from './module.ts'

/** Names the module `api-keys` in `requires` and `uses`. Importing it loads no code of the module. */
export const apiKeys = serviceToken<typeof module>('api-keys')
