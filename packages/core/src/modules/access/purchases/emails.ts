import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Contains the link that recovers purchases. */
export const purchaseRecoveryEmail = defineEmail('purchase-recovery', {
  summary: 'a buyer requests access to purchases',
  data: z.object({ link: z.url(), seconds: z.int().min(1) }),
  messages,
  text: ({ link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { service }), say('paragraph2', { time: lasting(seconds) }), say('paragraph3')],
    action: { link, label: say('action') },
  }),
})
