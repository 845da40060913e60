import { serviceToken } from '../../../framework/module/create-token.ts'
import type { receipts as module } from './module.ts'

/** Names the module `receipts` in `requires` and `uses`. Importing it loads no code of the module. */
export const receipts = serviceToken<typeof module>('receipts')
