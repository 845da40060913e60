import { defineModule } from '../../../framework/module/define-module.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timedPurge } from '../../../runtime/consumers/timed.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { gates } from '../gates/token.ts'
import { MAX_SESSION_SECONDS } from '../paywall/index.ts'
import { paywall } from '../paywall/token.ts'
import { gateSessionEvents } from './events.ts'
import { gateSessionRoutes } from './routes.ts'
import { createGateSessionService } from './service.ts'

const EVERY_MS = 3_600_000
const AT_ONCE = 500

/** Renewal and revocation of the sessions that agents get for their proofs. */
export const gateSessions = defineModule({
  name: 'gate-sessions',
  events: gateSessionEvents,
  requires: [profiles, gates, paywall],
  stores: ['gateSessions'],
  create: ({ write, clock }, { profiles, gates, paywall: { sessions } }) => ({
    gateSessions: createGateSessionService({ write, clock, profiles, gates, sessions }),
  }),
  routes: gateSessionRoutes,
  workers(_services, { write, clock, report }) {
    // All sessions that began before have ended.
    const prune = async (signal: AbortSignal) => {
      const before = new Date(clock().getTime() - MAX_SESSION_SECONDS * 1_000)
      await inBatches(() => write((tx) => tx.gateSessions.prune(before, AT_ONCE)), signal, AT_ONCE)
    }
    return [timedPurge(prune, { everyMs: EVERY_MS, jitter: 0.25, onError: report })]
  },
})
