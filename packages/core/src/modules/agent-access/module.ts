import { defineCoreModule } from '../../module/define-module.ts'
import { agents } from '../agents/module.ts'
import { agentAccessEvents } from './events.ts'
import { createReadLog } from './read-log.ts'

/** Events that report reads by agents to the teams of profiles. */
export const agentAccess = defineCoreModule({
  name: 'agent-access',
  events: agentAccessEvents,
  requires: [agents],
  create: ({ write, clock, keyring, report }) => ({
    agentReads: createReadLog({ write, clock, keyring, onError: report }),
  }),
  workers: ({ agentReads }) => [agentReads.worker],
})
