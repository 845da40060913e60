import { serviceToken } from '../../../framework/module/create-token.ts'
import type { files as module } from './module.ts'

/** Names the module `files` in `requires` and `uses`. Importing it loads no code of the module. */
export const files = serviceToken<typeof module>('files', "import { files } from '@eep/core/files'")
