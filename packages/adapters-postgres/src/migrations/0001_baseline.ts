import { accounts } from './baseline/accounts.ts'
import { analytics } from './baseline/analytics.ts'
import { audit } from './baseline/audit.ts'
import { commerce } from './baseline/commerce.ts'
import { connectedApps } from './baseline/connected-apps.ts'
import { content } from './baseline/content.ts'
import { events } from './baseline/events.ts'
import { feed } from './baseline/feed.ts'
import { files } from './baseline/files.ts'
import { gates } from './baseline/gates.ts'
import { jobs } from './baseline/jobs.ts'
import { media } from './baseline/media.ts'
import { memory } from './baseline/memory.ts'
import { messages } from './baseline/messages.ts'
import { notifications } from './baseline/notifications.ts'
import { payments } from './baseline/payments.ts'
import { pricedResources } from './baseline/priced-resources.ts'
import { profiles } from './baseline/profiles.ts'
import { requests } from './baseline/requests.ts'
import { sandbox } from './baseline/sandbox.ts'
import { search } from './baseline/search.ts'
import { siteScans } from './baseline/site-scans.ts'
import { subscriptions } from './baseline/subscriptions.ts'
import { teams } from './baseline/teams.ts'
import { webhooks } from './baseline/webhooks.ts'
import { workspaces } from './baseline/workspaces.ts'
import type { Migration } from './index.ts'

/** The tables of the first release, by groups. A group references the tables of groups before it. */
export const m0001Baseline: Migration = [
  ...accounts,
  ...profiles,
  ...teams,
  ...requests,
  ...connectedApps,
  ...content,
  ...files,
  ...gates,
  ...payments,
  ...commerce,
  ...events,
  ...webhooks,
  ...notifications,
  ...subscriptions,
  ...feed,
  ...search,
  ...siteScans,
  ...pricedResources,
  ...messages,
  ...workspaces,
  ...memory,
  ...jobs,
  ...media,
  ...analytics,
  ...audit,
  ...sandbox,
]
