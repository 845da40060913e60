import type { Outbox } from '../../email/outbox.ts'
import type { Account } from '../../model/account.ts'
import type { MailLinks } from '../../model/frontend-links.ts'
import type { InvitedRole } from '../../ports/storage/workspaces.ts'
import { composeEmail, lasting } from '../accounts/index.ts'

export interface InvitationMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service. */
  readonly service: string
  readonly links: Pick<MailLinks, 'acceptWorkspaceInvitation'>
  readonly seconds: number
}

/** What an email with an invitation says. */
interface InvitationFacts {
  readonly workspaceName: string
  readonly role: InvitedRole
  readonly inviter: string
  readonly secret: string
}

/** The page on which an invitation is answered, by its token or, for the account that it is for, by its id. */
export function workspaceInvitationPage(
  { acceptWorkspaceInvitation }: Pick<MailLinks, 'acceptWorkspaceInvitation'>,
  token: string,
): string {
  const link = new URL(acceptWorkspaceInvitation)
  link.searchParams.set('token', token)
  return link.href
}

/** Sends emails with invitations to workspaces. */
export const createInvitationMailer = ({ outbox, service, links, seconds }: InvitationMailerDeps) => ({
  send(guest: Partial<Pick<Account, 'username'>> & Pick<Account, 'email'>, facts: InvitationFacts): void {
    const { workspaceName, role, inviter, secret } = facts
    outbox.post('workspace_invitation', () =>
      composeEmail(
        { service, to: guest.email, username: guest.username },
        {
          subject: `Join the workspace ${workspaceName} at ${service}`,
          paragraphs: [
            `${inviter} invites you to the workspace "${workspaceName}", in the role "${role}". To join it, follow this link:`,
            `It works once and for ${lasting(seconds)}. Accept it with any account of yours: one with this email address, or one that confirmed its own.`,
            'If you do not know what this is about, you need not do anything.',
          ],
          key: { link: workspaceInvitationPage(links, secret) },
        },
      ),
    )
  },
})

export type InvitationMailer = ReturnType<typeof createInvitationMailer>
