import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { ApiKeysApi } from './api.ts'
import { apiKeyEmails } from './emails.ts'
import { apiKeyEvents } from './events.ts'
import { apiKeyRoutes } from './routes.ts'
import { createApiKeyService } from './service.ts'

const DELETED_AT_ONCE = 500

/** API keys of accounts. */
export const apiKeys = defineModule({
  name: 'api-keys',
  events: apiKeyEvents,
  emails: apiKeyEmails,
  requires: [profiles],
  stores: ['apiKeys'],
  scopes: [{ name: 'manage:keys', only: 'keys' }],
  create: ({ read, write, clock, report, scopes, outbox, emailRate }, { profiles }) => ({
    apiKeys: createApiKeyService({ read, write, clock, profiles, scopes, outbox, emailRate, onError: report }),
  }),
  public: {
    apiKeys: ({ apiKeys }): ApiKeysApi => pick(apiKeys, 'authenticate', 'create', 'list', 'rotate', 'revoke'),
  },
  authenticators: ({ apiKeys }) => ({ apiKey: apiKeys.authenticate }),
  routes: apiKeyRoutes,
  workers({ apiKeys }, { write, clock, settings, report }) {
    const deleteEnded = (before: Date) => write((tx) => tx.apiKeys.deleteEnded(before, DELETED_AT_ONCE))
    const retentionDays = settings.auth.endedKeyRetentionDays
    return [apiKeys.uses, retention(deleteEnded, { clock, retentionDays, onError: report })]
  },
  // Without their secrets, of which only hashes are stored.
})
