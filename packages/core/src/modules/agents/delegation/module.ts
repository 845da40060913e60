import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { documentOfKeys } from '../agents/index.ts'
import { agents } from '../agents/token.ts'
import { delegationRoutes } from './routes.ts'
import { createDelegationService } from './service.ts'

/** Verifies the delegations that operators give to their agents. */
export const delegation = feature('delegation', {}, () =>
  defineModule({
    name: 'delegation',
    requires: [agents],
    create: ({ clock, settings }, { dids }) => ({
      delegation: createDelegationService({
        clock,
        credentials: settings.gates.credentialVerifier,
        async resolve(did) {
          const document = await dids.resolve(did)
          return document && documentOfKeys(document)
        },
      }),
    }),
    routes: delegationRoutes,
  }),
)
