import { defineCoreModule } from '../../../framework/module/define-module.ts'
import { memory } from '../../insight/memory/module.ts'
import { profiles } from '../../profiles/profiles/module.ts'
import { media } from '../../publishing/media/module.ts'
import { usageRoutes } from './routes.ts'

/** Limits and usage of accounts. */
export const usage = defineCoreModule({
  name: 'usage',
  requires: [profiles],
  uses: [media, memory],
  routes: (app, services, { settings }) => usageRoutes(app, services, settings.planLimits),
})
