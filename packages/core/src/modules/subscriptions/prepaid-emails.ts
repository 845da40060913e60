import type { Mail } from '../../ports/mailer.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'

/** Reminds of the end of a prepaid year. */
export const prepaidEndsEmail = (
  head: MailContext,
  { tier, endsAt, link }: { readonly tier: string; readonly endsAt: Date; readonly link: string },
): Mail =>
  composeEmail(head, {
    subject: `Your year of ${tier} at ${head.service} ends on ${endsAt.toISOString().slice(0, 10)}`,
    paragraphs: [
      `What you paid for ${tier} reaches until ${endsAt.toISOString().slice(0, 10)}. To go on without a gap, pay the next year here; it begins where this one ends:`,
      'If you do nothing, your account goes back to the free tier that day. Nothing is deleted: what is beyond its limits can still be read, but not added to.',
    ],
    key: { link },
  })
