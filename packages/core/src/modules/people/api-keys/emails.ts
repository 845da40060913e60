import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Reports an API key that outlives the session or key that created it. Its name is left out, because a client chose it. */
export const apiKeyCreatedEmail = defineEmail('api-key-created', {
  summary: 'a session creates or replaces an API key',
  data: z.object({
    /** The key as lists show it. */
    masked: z.string(),
  }),
  messages,
  text: ({ masked }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { masked }), say('paragraph2')],
  }),
})

/** The emails about API keys. */
export const apiKeyEmails = [apiKeyCreatedEmail] as const
