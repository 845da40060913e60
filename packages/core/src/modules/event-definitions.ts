// Written by `npm run docs` from the files `events.ts` of the modules.
import { gateSessionEvents } from './access/gate-sessions/events.ts'
import { gateEvents } from './access/gates/events.ts'
import { receiptEvents } from './access/receipts/events.ts'
import { subscriptionEvents } from './access/subscriptions/events.ts'
import { agentAccessEvents } from './agents/access/events.ts'
import { oauthServerEvents } from './assistants/oauth-server/events.ts'
import { searchEvents } from './discovery/search/events.ts'
import { notificationEvents } from './events/notifications/events.ts'
import { webhookEvents } from './events/webhooks/events.ts'
import { memoryEvents } from './insight/memory/events.ts'
import { workspaceEvents } from './insight/workspaces/events.ts'
import { jobEvents } from './jobs/events.ts'
import { accountEvents } from './people/accounts/events.ts'
import { apiKeyEvents } from './people/api-keys/events.ts'
import { oauthEvents } from './people/oauth/events.ts'
import { passkeyEvents } from './people/passkeys/events.ts'
import { teamEvents } from './people/teams/events.ts'
import { walletEvents } from './people/wallets/events.ts'
import { connectionEvents } from './profiles/connections/events.ts'
import { profileEvents } from './profiles/profiles/events.ts'
import { trustLevelEvents } from './profiles/trust-levels/events.ts'
import { contentEvents } from './publishing/content/events.ts'
import { feedEvents } from './publishing/feed/events.ts'
import { fileEvents } from './publishing/files/events.ts'
import { mediaEvents } from './publishing/media/events.ts'
import { reactionEvents } from './publishing/reactions/events.ts'
import { smartSectionEvents } from './publishing/smart-sections/events.ts'
import { textExtractionEvents } from './publishing/text-extraction/events.ts'
import { commerceEvents } from './trade/commerce/events.ts'
import { listingEvents } from './trade/listings/events.ts'
import { messageEvents } from './trade/messages/events.ts'
import { sandboxEvents } from './trade/sandbox/events.ts'

/** The definitions of the events of every module of the package. They are data: importing them loads no module. */
export const coreEventDefinitions = [
  ...gateSessionEvents,
  ...gateEvents,
  ...receiptEvents,
  ...subscriptionEvents,
  ...agentAccessEvents,
  ...oauthServerEvents,
  ...searchEvents,
  ...notificationEvents,
  ...webhookEvents,
  ...memoryEvents,
  ...workspaceEvents,
  ...jobEvents,
  ...accountEvents,
  ...apiKeyEvents,
  ...oauthEvents,
  ...passkeyEvents,
  ...teamEvents,
  ...walletEvents,
  ...connectionEvents,
  ...profileEvents,
  ...trustLevelEvents,
  ...contentEvents,
  ...feedEvents,
  ...fileEvents,
  ...mediaEvents,
  ...reactionEvents,
  ...smartSectionEvents,
  ...textExtractionEvents,
  ...commerceEvents,
  ...listingEvents,
  ...messageEvents,
  ...sandboxEvents,
] as const
