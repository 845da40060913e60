import { serviceToken } from '../../../framework/module/create-token.ts'
import type { dataWithdrawal as module } from './module.ts'

/** Names the module `data-withdrawal` in `requires` and `uses`. Importing it loads no code of the module. */
export const dataWithdrawal = serviceToken<typeof module>(
  'data-withdrawal',
  "import { dataWithdrawal } from '@eep/core/agent-access'",
)
