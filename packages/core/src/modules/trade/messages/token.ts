import { serviceToken } from '../../../framework/module/create-token.ts'
import type { messages as module } from './module.ts'

/** Names the module `messages` in `requires` and `uses`. Importing it loads no code of the module. */
export const messages = serviceToken<typeof module>('messages', "import { messages } from '@eep/core/messages'")
