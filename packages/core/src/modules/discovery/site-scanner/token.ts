import { serviceToken } from '../../../framework/module/create-token.ts'
import type { siteScanner as module } from './module.ts'

/** Names the module `site-scanner` in `requires` and `uses`. Importing it loads no code of the module. */
export const siteScanner = serviceToken<typeof module>(
  'site-scanner',
  "import { siteScanner } from '@eep/core/site-scanner'",
)
