import { serviceToken } from '../../../framework/module/create-token.ts'
import type { textExtraction as module } from './module.ts'

/** Names the module `text-extraction` in `requires` and `uses`. Importing it loads no code of the module. */
export const textExtraction = serviceToken<typeof module>(
  'text-extraction',
  "import { textExtraction } from '@eep/core/files/text'",
)
