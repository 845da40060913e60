import type { Clock } from '../../../kernel/clock.ts'
import type { FrontendUrls } from '../../../model/frontend-links.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { SearchPartitions } from '../../discovery/search/index.ts'
import { createInvitationRate } from '../../people/teams/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { ContentService, VersionSettings } from '../../publishing/content/index.ts'
import { createWorkspaceAccess } from './access.ts'
import { createWorkspaceActivity } from './activity.ts'
import { createComments } from './comments.ts'
import { createWorkspaceCrud } from './crud.ts'
import { createDocumentSearch } from './document-search.ts'
import { createDocumentVersions } from './document-versions.ts'
import { createDocuments } from './documents.ts'
import { createInvitationMailer } from './invitation-mailer.ts'
import { createWorkspaceInvitations } from './invitations.ts'
import { createWorkspaceMembers } from './members.ts'
import { createPublish } from './publish.ts'
import { createStorageLimits } from './storage-limits.ts'

export interface WorkspaceDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly planLimits: PlanTable
  readonly outbox: Pick<Outbox, 'post'>
  readonly frontendUrls: FrontendUrls
  readonly emailRate: EmailRate
  /** Whether accounts get notifications by email. */
  readonly hasNotificationEmails: boolean
  readonly profiles: ProfileService
  readonly content: ContentService
  readonly versions: VersionSettings
  /** Undefined without a search index. */
  readonly searchPartitions: SearchPartitions | undefined
}

/** How long invitations are valid. */
const SECONDS = 7 * 86_400

export function createWorkspaceService(deps: WorkspaceDeps) {
  const { read, write, clock, planLimits, outbox, frontendUrls, emailRate, hasNotificationEmails } = deps
  const access = createWorkspaceAccess({ read })
  const activity = createWorkspaceActivity({ read, clock, access })
  const shared = { read, write, clock, access, activity }
  const limits = createStorageLimits(planLimits)
  const documents = createDocuments({ ...shared, limits, versions: deps.versions })
  return {
    ...createWorkspaceCrud({ ...shared, planLimits }),
    members: createWorkspaceMembers(shared),
    invitations: createWorkspaceInvitations({
      ...shared,
      rate: createInvitationRate(emailRate),
      mailer: createInvitationMailer({ outbox, frontendUrls, seconds: SECONDS }),
      seconds: SECONDS,
      hasNotificationEmails,
    }),
    activity,
    documents,
    versions: createDocumentVersions({ read, documents, diffBodies: deps.content.diffBodies }),
    comments: createComments({ ...shared, documents, limits }),
    /** Undefined without a search index. */
    search: deps.searchPartitions && createDocumentSearch({ read, access, searchPartitions: deps.searchPartitions }),
    publish: createPublish({ ...shared, documents, profiles: deps.profiles, content: deps.content }),
  }
}

/** Workspaces: private places in which accounts write documents together. */
export type WorkspaceService = ReturnType<typeof createWorkspaceService>
