import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { agents } from '../agents/token.ts'
import { withdrawalRoutes } from './routes.ts'
import { createWithdrawalService } from './service.ts'

/** Answers agents that withdraw claims which they presented at a gate. */
export const dataWithdrawal = feature('dataWithdrawal', {}, () =>
  defineModule({
    name: 'data-withdrawal',
    requires: [agents],
    create: ({ write, clock, keyring, publicUrl }, { dids }) => ({
      withdrawals: createWithdrawalService({ write, clock, keyring, publicUrl, dids }),
    }),
    routes: withdrawalRoutes,
  }),
)
