import type { Account } from '../../../model/account.ts'
import type { FrontendUrls } from '../../../model/frontend-links.ts'
import type { InvitedRole } from '../../../ports/storage/workspaces.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import { workspaceInvitationEmail } from './emails.ts'

export interface InvitationMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  readonly frontendUrls: Pick<FrontendUrls, 'acceptWorkspaceInvitation'>
  readonly seconds: number
}

/** The content of an email with an invitation. */
interface InvitationFacts {
  readonly workspaceName: string
  readonly role: InvitedRole
  readonly inviter: string
  readonly secret: string
}

/** The page on which an invitation is answered, by its token or, for the account that it is for, by its id. */
export function workspaceInvitationPage(
  { acceptWorkspaceInvitation }: Pick<FrontendUrls, 'acceptWorkspaceInvitation'>,
  token: string,
): string {
  const link = new URL(acceptWorkspaceInvitation)
  link.searchParams.set('token', token)
  return link.href
}

/** Sends emails with invitations to workspaces. */
export const createInvitationMailer = ({ outbox, frontendUrls, seconds }: InvitationMailerDeps) => ({
  send(
    { email: to, username, language }: Partial<Pick<Account, 'username' | 'language'>> & Pick<Account, 'email'>,
    facts: InvitationFacts,
  ): void {
    const { workspaceName: workspace, role, inviter, secret } = facts
    const data = { workspace, role, inviter, link: workspaceInvitationPage(frontendUrls, secret), seconds }
    outbox.post(workspaceInvitationEmail, () => ({ to, username, language, data }))
  },
})

export type InvitationMailer = ReturnType<typeof createInvitationMailer>
