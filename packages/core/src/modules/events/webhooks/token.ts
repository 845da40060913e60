import { serviceToken } from '../../../framework/module/create-token.ts'
import type { webhooks as module } from './module.ts'

/** Names the module `webhooks` in `requires` and `uses`. Importing it loads no code of the module. */
export const webhooks = serviceToken<typeof module>('webhooks', "import { webhooks } from '@eep/core/webhooks'")
