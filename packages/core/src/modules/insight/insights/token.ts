import { serviceToken } from '../../../framework/module/create-token.ts'
import type { insights as module } from './module.ts'

/** Names the module `insights` in `requires` and `uses`. Importing it loads no code of the module. */
export const insights = serviceToken<typeof module>('insights', "import { insights } from '@eep/core/insights'")
