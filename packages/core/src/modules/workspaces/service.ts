import type { EmailRate } from '../../email/email-rate.ts'
import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { MailLinks } from '../../model/frontend-links.ts'
import type { PlanTable } from '../../model/plan.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { createInvitationRate } from '../teams/index.ts'
import { createWorkspaceAccess } from './access.ts'
import { createWorkspaceActivity } from './activity.ts'
import { createWorkspaceCrud } from './crud.ts'
import { createInvitationMailer } from './invitation-mailer.ts'
import { createWorkspaceInvitations } from './invitations.ts'
import { createWorkspaceMembers } from './members.ts'

export interface WorkspaceDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly planLimits: PlanTable
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service in emails. */
  readonly name: string
  readonly links: MailLinks
  readonly emailRate: EmailRate
  /** Whether accounts get notifications by email. */
  readonly hasNotificationEmails: boolean
}

/** How long invitations are valid. */
const SECONDS = 7 * 86_400

export function createWorkspaceService(deps: WorkspaceDeps) {
  const { read, write, clock, planLimits, outbox, name, links, emailRate, hasNotificationEmails } = deps
  const access = createWorkspaceAccess({ read })
  const activity = createWorkspaceActivity({ read, clock, access })
  const shared = { read, write, clock, access, activity }
  return {
    ...createWorkspaceCrud({ ...shared, planLimits }),
    members: createWorkspaceMembers(shared),
    invitations: createWorkspaceInvitations({
      ...shared,
      rate: createInvitationRate({ clock, emailRate }),
      mailer: createInvitationMailer({ outbox, service: name, links, seconds: SECONDS }),
      seconds: SECONDS,
      hasNotificationEmails,
    }),
    activity,
  }
}

/** Workspaces: private places in which accounts write documents together. */
export type WorkspaceService = ReturnType<typeof createWorkspaceService>
