import { defineModule, type Worker } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { createActors } from './actors.ts'
import { auditLogScreen } from './audit-log.screen.ts'
import { auditLogOptions } from './options.ts'
import { auditPermissions } from './permissions.ts'
import { createRecorder } from './recorder.ts'
import { auditLogRoutes } from './routes.ts'
import { createAuditLogService } from './service.ts'

const PRUNED_AT_ONCE = 500

/** The audit logs of profiles: signed entries about events, linked by hashes. */
export const auditLog = feature('auditLog', auditLogOptions, (options) =>
  defineModule({
    name: 'audit-log',
    requires: [profiles],
    stores: ['auditLog', 'followers'],
    scopes: [{ name: 'read:audit', only: 'keys' }],
    permissions: auditPermissions,
    create: ({ read, keyring }, { profiles, myProfiles }) => ({
      auditLog: createAuditLogService({ read, keyring, profiles, myProfiles }),
    }),
    routes: auditLogRoutes,
    screens: ({ auditLog, profiles }, { serviceDid }) => [auditLogScreen({ auditLog, profiles, serviceDid })],
    workers({ profiles, myProfiles }, { read, write, clock, catalogue, keyring, consumers, serviceDid, report }) {
      const actors = createActors({ read, profiles, serviceDid })
      const recorder = createRecorder({ read, catalogue, keyring, profiles, myProfiles, actors })
      let unfollow: (() => Promise<void>) | undefined
      const recording: Worker = {
        start() {
          unfollow = consumers.durable('audit-log.record', recorder, { from: 'start' })
        },
        stop: async () => unfollow?.(),
      }
      const { retentionDays } = options
      const prune = (before: Date) => write((tx) => tx.auditLog.prune(before, PRUNED_AT_ONCE))
      return [recording, retention(prune, { clock, retentionDays, onError: report })]
    },
  }),
)
