import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { profiles } from '../profiles/token.ts'
import type { TrustApi } from './api.ts'
import { trustRoutes } from './routes.ts'
import { createTrustService } from './service.ts'

/** Trust scores of profiles and agents. */
export const trust = defineModule({
  name: 'trust',
  requires: [profiles],
  create: ({ read, clock, cache }, { profiles }) => ({ trust: createTrustService({ read, clock, cache, profiles }) }),
  public: {
    trust: ({ trust }): TrustApi => pick(trust, 'ofProfile'),
  },
  routes: trustRoutes,
})
