import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Reports that two-factor authentication was enabled. */
export const secondFactorEnabledEmail = defineEmail('second-factor-enabled', {
  summary: 'an account turns two-factor authentication on',
  data: z.object({}),
  messages,
  text: (_, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2')],
  }),
})

/** Reports that two-factor authentication was disabled, by the owner or by an administrator. */
export const secondFactorDisabledEmail = defineEmail('second-factor-disabled', {
  summary: 'an account or an administrator turns two-factor authentication off',
  data: z.object({ by: z.enum(['owner', 'administrator']) }),
  messages,
  text: ({ by }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [by === 'owner' ? say('paragraph1') : say('paragraph2'), say('paragraph3')],
  }),
})

/** Reports that wrong codes were entered for an account. */
export const secondFactorFailedEmail = defineEmail('second-factor-failed', {
  summary: 'five wrong codes of two-factor authentication are entered within a day',
  data: z.object({}),
  messages,
  text: (_, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2')],
  }),
})

/** Reports that a recovery code was used, and how many are left. */
export const recoveryCodeUsedEmail = defineEmail('recovery-code-used', {
  summary: 'a recovery code is used to sign in',
  data: z.object({ left: z.int().min(0) }),
  messages,
  text: ({ left }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { left }), say('paragraph2'), say('paragraph3')],
  }),
})

/** The emails about two-factor authentication. */
export const secondFactorEmails = [
  secondFactorEnabledEmail,
  secondFactorDisabledEmail,
  secondFactorFailedEmail,
  recoveryCodeUsedEmail,
] as const
