import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Announces the end of a prepaid year. */
export const subscriptionEndsEmail = defineEmail('subscription-ends', {
  summary: '30, 7 days and 1 day before a prepaid year ends',
  data: z.object({ tier: z.string(), endsAt: z.date(), link: z.url() }),
  messages,
  text: ({ tier, endsAt, link }, say, { service, day }) => ({
    subject: say('subject', { tier, service, date: day(endsAt) }),
    paragraphs: [say('paragraph1', { tier, date: day(endsAt) }), say('paragraph2')],
    action: { link, label: say('action') },
  }),
})
