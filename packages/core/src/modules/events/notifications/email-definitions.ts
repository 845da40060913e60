import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

/** One notification. Its sentences are those of its kind. */
export const notificationEmail = defineEmail('notification', {
  summary: 'a notification is sent immediately',
  data: z.object({
    /** The kind of the notification. */
    kind: z.string(),
    title: z.string(),
    body: z.array(z.string()),
    link: z.url().optional(),
    unsubscribe: z.url(),
  }),
  messages,
  text: ({ title, body, link, unsubscribe }, say) => ({
    subject: title,
    paragraphs: [`${title}.`, ...body],
    action: link === undefined ? undefined : { link, label: say('action') },
    endnotes: [{ text: say('unsubscribe'), link: unsubscribe }],
  }),
})

const item = z.object({ text: z.string(), link: z.url().optional() })

/** The notifications of a day. */
export const notificationDigestEmail = defineEmail('notification-digest', {
  summary: 'once a day',
  data: z.object({
    items: z.array(item),
    /** How many listed notifications it does not contain. */
    more: z.int().min(0),
    /** The page with all notifications. */
    listUrl: z.url(),
    /** How many notifications follow in the next email. */
    later: z.int().min(0),
    unsubscribe: z.url(),
  }),
  messages,
  text: ({ items, more, listUrl, later, unsubscribe }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1'), ...(later > 0 ? [say('paragraph2', { later })] : [])],
    items: [...items, ...(more > 0 ? [{ text: say('more', { more }), link: listUrl }] : [])],
    endnotes: [{ text: say('unsubscribe'), link: unsubscribe }],
  }),
})
