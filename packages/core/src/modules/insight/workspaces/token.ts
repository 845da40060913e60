import { serviceToken } from '../../../framework/module/create-token.ts'
import type { workspaces as module } from './module.ts'

/** Names the module `workspaces` in `requires` and `uses`. Importing it loads no code of the module. */
export const workspaces = serviceToken<typeof module>('workspaces', "import { workspaces } from '@eep/core/workspaces'")
