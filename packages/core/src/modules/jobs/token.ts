import { serviceToken } from '../../framework/module/create-token.ts'
import type { jobs as module } from './module.ts'

/** Names the module `jobs` in `requires` and `uses`. Importing it loads no code of the module. */
export const jobs = serviceToken<typeof module>('jobs')
