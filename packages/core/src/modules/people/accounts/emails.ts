import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** A link that works once, and how long. */
const linkData = z.object({ username: z.string(), link: z.url(), seconds: z.int().min(1) })

/** Asks the owner of an email address to confirm it. */
export const verificationEmail = defineEmail('verification', {
  summary: 'an account is registered, or changes its email address',
  data: linkData,
  messages,
  text: ({ username, link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { service }),
    paragraphs: [
      say('paragraph1', { username, service }),
      say('paragraph2', { time: lasting(seconds) }),
      say('paragraph3'),
    ],
    action: { link, label: say('action') },
  }),
})

/** Contains a link to choose another password. */
export const passwordResetEmail = defineEmail('password-reset', {
  summary: 'a user requests another password',
  data: linkData,
  messages,
  text: ({ link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2', { time: lasting(seconds) }), say('paragraph3')],
    action: { link, label: say('action') },
  }),
})

/** Confirms that an account was taken over by the owner of its email address, who may choose a password. */
export const accountTakenOverEmail = defineEmail('account-taken-over', {
  summary: 'the owner of an email address takes over an account',
  data: linkData,
  messages,
  text: ({ username, link, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { username }), say('paragraph2', { time: lasting(seconds) }), say('paragraph3')],
    action: { link, label: say('action') },
  }),
})

/** The code that confirms the deletion of an account. */
export const deleteCodeEmail = defineEmail('delete-code', {
  summary: 'an account requests the code that deletes it',
  data: z.object({ code: z.string(), seconds: z.int().min(1) }),
  messages,
  text: ({ code, seconds }, say, { service, lasting }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), say('paragraph2', { time: lasting(seconds) }), say('paragraph3')],
    action: { code },
  }),
})

/** Announces the deletion of an account, and how to restore it. */
export const deletionScheduledEmail = defineEmail('deletion-scheduled', {
  summary: 'the deletion of an account is scheduled',
  data: z.object({ at: z.date() }),
  messages,
  text: ({ at }, say, { service, day }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { date: day(at) }), say('paragraph2')],
  }),
})

interface StillValid {
  readonly apiKeys: number
  readonly webhooks: readonly string[]
}

/** What a change of the password does not end, if there is any. */
function stillValid<Text>(
  { apiKeys, webhooks }: StillValid,
  describe: (apiKeys: number, hosts: string) => Text,
  none: string,
): readonly Text[] {
  if (apiKeys === 0 && webhooks.length === 0) return []
  return [describe(apiKeys, webhooks.length > 0 ? webhooks.join(', ') : none)]
}

/** Reports that the password of an account has changed. */
export const passwordChangedEmail = defineEmail('password-changed', {
  summary: 'the password of an account changes',
  data: z.object({
    apiKeys: z.int().min(0).describe('The number of valid API keys'),
    webhooks: z.array(z.string()).describe('The hosts that webhooks are delivered to'),
  }),
  messages,
  text: (data, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [
      say('paragraph1'),
      say('paragraph2'),
      ...stillValid(data, (apiKeys, hosts) => say('paragraph3', { apiKeys, hosts }), say('none')),
    ],
  }),
})

/** The emails of accounts. */
export const accountEmails = [
  verificationEmail,
  passwordResetEmail,
  accountTakenOverEmail,
  deleteCodeEmail,
  deletionScheduledEmail,
  passwordChangedEmail,
] as const
