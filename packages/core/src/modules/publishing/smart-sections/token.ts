import { serviceToken } from '../../../framework/module/create-token.ts'
import type { smartSections as module } from './module.ts'

/** Names the module `smart-sections` in `requires` and `uses`. Importing it loads no code of the module. */
export const smartSections = serviceToken<typeof module>(
  'smart-sections',
  "import { smartSections } from '@eep/core/smart-sections'",
)
