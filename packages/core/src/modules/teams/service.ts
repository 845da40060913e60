import type { MailRate } from '../../email/email-rate.ts'
import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { MailLinks } from '../../model/frontend-links.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ProfileService } from '../profiles/index.ts'
import { createInvitations } from './invitations.ts'
import { createMembers } from './members.ts'
import { createTeamPost } from './post.ts'
import { createTransfers } from './transfers.ts'

export interface TeamDeps extends GuardedStorage<'teams'> {
  readonly clock: Clock
  readonly profiles: ProfileService
  readonly outbox: Pick<Outbox, 'post'>
  /** What the service calls itself in mails. */
  readonly name: string
  readonly links: MailLinks
  readonly mailRate: MailRate
}

/** How long invitations and offers stand. */
const SECONDS = 7 * 86_400

export function createTeamService({ read, write, clock, profiles, outbox, name, links, mailRate }: TeamDeps) {
  const post = createTeamPost({ clock, outbox, service: name, links, mailRate, seconds: SECONDS })
  const shared = { read, write, clock, profiles, post, seconds: SECONDS }
  return {
    members: createMembers(shared),
    invitations: createInvitations(shared),
    transfers: createTransfers(shared),
  }
}

/** The teams of profiles: their members, who was invited, and who shall own them. */
export type TeamService = ReturnType<typeof createTeamService>
