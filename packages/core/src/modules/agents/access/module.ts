import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { agents } from '../agents/token.ts'
import { createAccessLog } from './access-log.ts'
import { agentAccessEvents } from './events.ts'

/** Events that report reads and searches by agents to the teams of profiles. */
export const agentAccess = feature('agentAccess', {}, () =>
  defineModule({
    name: 'agent-access',
    events: agentAccessEvents,
    requires: [agents],
    create: ({ write, clock, keyring, report }) => ({
      agentAccess: createAccessLog({ write, clock, keyring, onError: report }),
    }),
    onAgentAccess: ({ agentAccess }) => agentAccess.add,
    workers: ({ agentAccess }) => [agentAccess.worker],
  }),
)
