import { serviceToken } from '../../../framework/module/create-token.ts'
import type { content as module } from './module.ts'

/** Names the module `content` in `requires` and `uses`. Importing it loads no code of the module. */
export const content = serviceToken<typeof module>('content')
