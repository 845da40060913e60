import type { Account } from '../../../model/account.ts'
import type { FrontendUrls } from '../../../model/frontend-links.ts'
import type { MemberRole } from '../../../ports/storage/teams.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import { teamInvitationEmail, transferOfferedEmail } from './emails.ts'
import { invitationPage } from './invitation-page.ts'
import { createInvitationRate } from './invitation-rate.ts'

export interface TeamMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  readonly frontendUrls: FrontendUrls
  readonly emailRate: EmailRate
  readonly seconds: number
}

/** The profile that an email is about. */
export interface Subject {
  /** Its canonical URL. */
  readonly url: string
  readonly username: string
}

type Person = Pick<Account, 'email' | 'username' | 'language'>

const headOf = ({ email: to, username, language }: Partial<Person> & Pick<Person, 'email'>) => ({
  to,
  username,
  language,
})

/** Adds the emails of teams and transfers that are not notifications to the outbox, and counts those that accounts cause. */
export function createTeamMailer({ outbox, frontendUrls, emailRate, seconds }: TeamMailerDeps) {
  return {
    ...createInvitationRate(emailRate),

    invitation(
      guest: Partial<Person> & Pick<Person, 'email'>,
      { url: profileUrl, username: profile }: Subject,
      { role, inviter, secret }: { readonly role: MemberRole; readonly inviter: string; readonly secret: string },
    ): void {
      const data = { profileUrl, profile, role, inviter, link: invitationPage(frontendUrls, secret), seconds }
      outbox.post(teamInvitationEmail, () => ({ ...headOf(guest), data }))
    },

    /** Confirms to the owner what was offered: it may have been another person. */
    offered(from: Person, to: Person, { url: profileUrl, username: profile }: Subject): void {
      const data = { profileUrl, profile, recipient: to.username, link: frontendUrls.transfers, seconds }
      outbox.post(transferOfferedEmail, () => ({ ...headOf(from), data }))
    },
  }
}

export type TeamMailer = ReturnType<typeof createTeamMailer>
