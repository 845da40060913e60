import { serviceToken } from '../../../framework/module/create-token.ts'
import type { agentAccess as module } from './module.ts'

/** Names the module `agent-access` in `requires` and `uses`. Importing it loads no code of the module. */
export const agentAccess = serviceToken<typeof module>(
  'agent-access',
  "import { agentAccess } from '@eep/core/agent-access'",
)
