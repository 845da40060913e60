import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Reports that a passkey was added to an account. Its name is left out, because a client chose it. */
export const passkeyAddedEmail = defineEmail('passkey-added', {
  summary: 'a passkey is added to an account',
  data: z.object({}),
  messages,
  text: (_, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2')],
  }),
})

/** Reports that a passkey of an account was deleted. */
export const passkeyDeletedEmail = defineEmail('passkey-deleted', {
  summary: 'a passkey of an account is deleted',
  data: z.object({}),
  messages,
  text: (_, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2')],
  }),
})

/** The emails about passkeys. */
export const passkeyEmails = [passkeyAddedEmail, passkeyDeletedEmail] as const
