import { serviceToken } from '../../../framework/module/create-token.ts'
import type { auditLog as module } from './module.ts'

/** Names the module `audit-log` in `requires` and `uses`. Importing it loads no code of the module. */
export const auditLog = serviceToken<typeof module>('audit-log', "import { auditLog } from '@eep/core/audit-log'")
