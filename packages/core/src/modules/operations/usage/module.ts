import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { memory } from '../../insight/memory/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { media } from '../../publishing/media/token.ts'
import { usageRoutes } from './routes.ts'

/** Limits and usage of accounts. */
export const usage = feature('usage', {}, () =>
  defineModule({
    name: 'usage',
    requires: [profiles],
    uses: [media, memory],
    routes: (app, services, { settings }) => usageRoutes(app, services, settings.planLimits),
  }),
)
