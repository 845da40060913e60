import { defineCoreModule } from '../../module/define-module.ts'
import { media } from '../media/module.ts'
import { memory } from '../memory/module.ts'
import { profiles } from '../profiles/module.ts'
import { usageRoutes } from './routes.ts'

/** Limits and usage of accounts. */
export const usage = defineCoreModule({
  name: 'usage',
  requires: [profiles],
  uses: [media, memory],
  routes: (app, services, { settings }) => usageRoutes(app, services, settings.planLimits),
})
