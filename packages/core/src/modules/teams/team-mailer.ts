import { type EmailRate, HOUR_MS } from '../../email/email-rate.ts'
import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Account } from '../../model/account.ts'
import type { MailLinks } from '../../model/frontend-links.ts'
import type { MemberRole } from '../../ports/storage/teams.ts'
import type { MailContext } from '../accounts/index.ts'
import { invitationEmail, keptEmail, offerEmail, offeredEmail, type Subject, transferredEmail } from './emails.ts'
import { tooManyMails } from './errors.ts'

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

/** Renders the emails of teams and transfers, and counts them. */
export function createTeamMailer({ clock, outbox, service, links, emailRate, seconds }: TeamMailerDeps) {
  const headOf = ({ email, username }: Partial<Person> & Pick<Person, 'email'>): MailContext => ({
    service,
    to: email,
    username,
  })

  return {
    /** Counts an email that an account sends to another person. Throws `too_many_mails` above the hourly limit. */
    async count(account: Pick<Account, 'id'>): Promise<void> {
      const { count, resetAtMs } = await emailRate.store.hit(`team-mail:${account.id}`, HOUR_MS)
      if (count <= emailRate.perHour) return
      const seconds = Math.max(1, Math.ceil((resetAtMs - clock().getTime()) / 1000))
      throw tooManyMails({ headers: { 'Retry-After': String(seconds) } })
    },

    /** Each address receives a limited number, from all senders together. */
    async invitation(
      guest: Partial<Person> & Pick<Person, 'email'>,
      subject: Subject,
      { role, inviter, secret }: { readonly role: MemberRole; readonly inviter: string; readonly secret: string },
    ): Promise<void> {
      const { count } = await emailRate.store.hit(`invitation-mail:${guest.email.toLowerCase()}`, HOUR_MS)
      if (count > emailRate.perHour) return
      const link = new URL(links.acceptInvitation)
      link.searchParams.set('token', secret)
      const details = { role, inviter, link: link.href, seconds }
      outbox.post('team_invitation', () => invitationEmail(headOf(guest), subject, details))
    },

    offered(from: Person, to: Person, subject: Subject): void {
      const details = { link: links.transfers, seconds }
      outbox.post('transfer', () => offerEmail(headOf(to), subject, { ...details, owner: from.username }))
      outbox.post('transfer', () => offeredEmail(headOf(from), subject, { ...details, recipient: to.username }))
    },

    transferred(from: Person, to: Person, subject: Subject): void {
      const names = { from: from.username, to: to.username }
      outbox.post('transfer', () => transferredEmail(headOf(to), subject, { ...names, isNew: true }))
      outbox.post('transfer', () => transferredEmail(headOf(from), subject, { ...names, isNew: false }))
    },

    kept(from: Person, to: Person, subject: Subject, did: 'rejected' | 'cancelled'): void {
      const details = { did, by: (did === 'rejected' ? to : from).username, owner: from.username }
      for (const each of [from, to]) outbox.post('transfer', () => keptEmail(headOf(each), subject, details))
    },
  }
}

export type TeamMailer = ReturnType<typeof createTeamMailer>
