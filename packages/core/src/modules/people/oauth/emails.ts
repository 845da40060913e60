import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Reports that a sign-in provider was linked to an account that existed before. */
export const providerLinkedEmail = defineEmail('provider-linked', {
  summary: 'a sign-in provider is linked to an existing account',
  data: z.object({
    /** The name of the provider, for example `GitHub`. */
    provider: z.string(),
  }),
  messages,
  text: ({ provider }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { provider }), say('paragraph2')],
  }),
})

/** Reports that a sign-in provider was unlinked from an account. */
export const providerUnlinkedEmail = defineEmail('provider-unlinked', {
  summary: 'a sign-in provider is unlinked from an account',
  data: z.object({
    /** The name of the provider, for example `GitHub`. */
    provider: z.string(),
  }),
  messages,
  text: ({ provider }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { provider }), say('paragraph2')],
  }),
})

/** The emails about sign-in providers. */
export const oauthEmails = [providerLinkedEmail, providerUnlinkedEmail] as const
