import { serviceToken } from '../../../framework/module/create-token.ts'
import type { purchaseRecovery as module } from './module.ts'

/** Names the module `purchase-recovery` in `requires` and `uses`. Importing it loads no code of the module. */
export const purchaseRecovery = serviceToken<typeof module>('purchase-recovery')
