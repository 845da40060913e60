import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** Asks the owner of a new address to confirm it, or states that the address belongs to an account already. */
export const emailChangeEmail = defineEmail('email-change', {
  summary: 'an account changes its email address; to the new one',
  data: z.object({
    link: z.url().nullable().describe('Null when an account has the address already'),
    seconds: z.int().min(1),
  }),
  messages,
  text: ({ link, seconds }, say, { service, lasting }) =>
    link === null
      ? { subject: say('subject', { service }), paragraphs: [say('taken', { service }), say('paragraph3')] }
      : {
          subject: say('subject', { service }),
          paragraphs: [
            say('paragraph1', { service }),
            say('paragraph2', { time: lasting(seconds) }),
            say('paragraph3'),
          ],
          action: { link, label: say('action') },
        },
})

/** Notifies the former address of an account of the change, with a link that undoes it. */
export const emailChangedEmail = defineEmail('email-changed', {
  summary: 'the email address of an account changed; to the former one',
  data: z.object({
    link: z.url().nullable().describe('Undoes the change. Null for an address that the account never proved to own'),
    seconds: z.int().min(1),
  }),
  messages,
  text: ({ link, seconds }, say, { service, lasting }) => {
    const subject = say('subject', { service })
    if (link === null) return { subject, paragraphs: [say('paragraph1')] }
    return {
      subject,
      paragraphs: [say('paragraph1'), say('paragraph2'), say('paragraph3', { time: lasting(seconds) })],
      action: { link, label: say('action') },
    }
  },
})

/** Confirms that a change of the email address was undone, with a link to choose a password. */
export const emailRestoredEmail = defineEmail('email-restored', {
  summary: 'a change of the email address was undone',
  data: z.object({ link: z.url(), seconds: z.int().min(1) }),
  messages,
  text: ({ link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2', { time: lasting(seconds) })],
    action: { link, label: say('action') },
  }),
})

/** The emails about changes of email addresses. */
export const emailChangeEmails = [emailChangeEmail, emailChangedEmail, emailRestoredEmail] as const
