import { serviceToken } from '../../../framework/module/create-token.ts'
import type { reports as module } from './module.ts'

/** Names the module `reports` in `requires` and `uses`. Importing it loads no code of the module. */
export const reports = serviceToken<typeof module>('reports', "import { reports } from '@eep/core/reports'")
