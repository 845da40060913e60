import type { EmailRate } from '../../email/email-rate.ts'
import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Account } from '../../model/account.ts'
import type { MailLinks } from '../../model/frontend-links.ts'
import type { MemberRole } from '../../ports/storage/teams.ts'
import type { MailContext } from '../accounts/index.ts'
import { invitationEmail, offeredEmail, type Subject } from './emails.ts'
import { invitationPage } from './invitation-page.ts'
import { createInvitationRate } from './invitation-rate.ts'

export interface TeamMailerDeps {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service. */
  readonly service: string
  readonly links: MailLinks
  readonly emailRate: EmailRate
  readonly seconds: number
}

type Person = Pick<Account, 'email' | 'username'>

/** Renders the emails of teams and transfers that are not notifications, and counts the emails that accounts cause. */
export function createTeamMailer({ clock, outbox, service, links, emailRate, seconds }: TeamMailerDeps) {
  const headOf = ({ email, username }: Partial<Person> & Pick<Person, 'email'>): MailContext => ({
    service,
    to: email,
    username,
  })

  return {
    ...createInvitationRate({ clock, emailRate }),

    invitation(
      guest: Partial<Person> & Pick<Person, 'email'>,
      subject: Subject,
      { role, inviter, secret }: { readonly role: MemberRole; readonly inviter: string; readonly secret: string },
    ): void {
      const details = { role, inviter, link: invitationPage(links, secret), seconds }
      outbox.post('team_invitation', () => invitationEmail(headOf(guest), subject, details))
    },

    /** Confirms to the owner what was offered: it may have been another person. */
    offered(from: Person, to: Person, subject: Subject): void {
      const details = { link: links.transfers, seconds, recipient: to.username }
      outbox.post('transfer', () => offeredEmail(headOf(from), subject, details))
    },
  }
}

export type TeamMailer = ReturnType<typeof createTeamMailer>
