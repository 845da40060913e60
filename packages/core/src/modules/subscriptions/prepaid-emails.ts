import type { Mail } from '../../ports/mailer.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'

/** Announces the end of a prepaid year. */
export const prepaidEndsEmail = (
  head: MailContext,
  { tier, endsAt, link }: { readonly tier: string; readonly endsAt: Date; readonly link: string },
): Mail =>
  composeEmail(head, {
    subject: `Your year of ${tier} at ${head.service} ends on ${endsAt.toISOString().slice(0, 10)}`,
    paragraphs: [
      `Your prepaid ${tier} plan ends on ${endsAt.toISOString().slice(0, 10)}. To continue without a gap, pay for the next year here; it begins when this one ends:`,
      'If you do nothing, your account returns to the free tier that day. Nothing is deleted: content above its limits stays readable, but you cannot add to it.',
    ],
    key: { link },
  })
