import type { Mail } from '../../ports/mailer.ts'
import type { MemberRole } from '../../ports/storage/teams.ts'
import { composeEmail, lasting, type MailContext } from '../accounts/index.ts'

/** The profile that an email is about. */
export interface Subject {
  /** Its canonical URL. */
  readonly url: string
  readonly username: string
}

/** Invites a person to a team. */
export const invitationEmail = (
  head: MailContext,
  { url, username }: Subject,
  { role, inviter, link, seconds }: { role: MemberRole; inviter: string; link: string; seconds: number },
): Mail =>
  composeEmail(head, {
    subject: `Join the team of ${username} at ${head.service}`,
    paragraphs: [
      `${inviter} invites you to the team of ${url}, in the role "${role}". To join it, follow this link:`,
      `It works once and expires in ${lasting(seconds)}. Accept it with any of your accounts that has this email address or has confirmed another one.`,
      'If you do not know what this is about, you can ignore this email.',
    ],
    key: { link },
  })

/** Confirms to the owner that the profile was offered. */
export const offeredEmail = (
  head: MailContext,
  { url, username }: Subject,
  { recipient, link, seconds }: { recipient: string; link: string; seconds: number },
): Mail =>
  composeEmail(head, {
    subject: `You offered the profile ${username} to ${recipient}`,
    paragraphs: [
      `${recipient} can become the owner of ${url}. Until they do, you can cancel it here:`,
      `The offer expires in ${lasting(seconds)}.`,
      'If it was not you, another person is signed in to your account: cancel it, and change your password, which ends every session.',
    ],
    key: { link },
  })
