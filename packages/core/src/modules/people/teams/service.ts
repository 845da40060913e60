import type { Clock } from '../../../kernel/clock.ts'
import type { FrontendUrls } from '../../../model/frontend-links.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { createInvitations } from './invitations.ts'
import { createMembers } from './members.ts'
import { createTeamMailer } from './team-mailer.ts'
import { createTransfers } from './transfers.ts'

export interface TeamDeps extends GuardedStorage<'teams'> {
  readonly clock: Clock
  readonly profiles: ProfileService
  readonly outbox: Pick<Outbox, 'post'>
  readonly frontendUrls: FrontendUrls
  readonly emailRate: EmailRate
  /** Whether accounts get notifications by email. */
  readonly hasNotificationEmails: boolean
}

/** How long invitations and offers are valid. */
const SECONDS = 7 * 86_400

export function createTeamService(deps: TeamDeps) {
  const { read, write, clock, profiles, outbox, frontendUrls, emailRate, hasNotificationEmails } = deps
  const teamMailer = createTeamMailer({ outbox, frontendUrls, emailRate, seconds: SECONDS })
  const shared = { read, write, clock, profiles, teamMailer, seconds: SECONDS }
  return {
    members: createMembers(shared),
    invitations: createInvitations({ ...shared, hasNotificationEmails }),
    transfers: createTransfers(shared),
  }
}

/** Teams of profiles: members, invitations and transfers. */
export type TeamService = ReturnType<typeof createTeamService>
