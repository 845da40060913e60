import { escapeHtml } from '../../kernel/escape-html.ts'
import type { Mail } from '../../ports/mailer.ts'

/** Context of every email. */
export interface MailContext {
  /** The name of the service. */
  readonly service: string
  readonly to: string
  /** The username of the recipient. Undefined when the address may have no account. */
  readonly username?: string | undefined
}

/** The content of an email. */
export interface EmailContent {
  readonly subject: string
  /** The text, one entry per paragraph. */
  readonly paragraphs: readonly string[]
  /** The one link to follow or code to type, after the first paragraph. */
  readonly key?: { readonly link: string } | { readonly code: string } | undefined
}

interface Part {
  readonly text: string
  readonly html: string
}

const paragraph = (text: string): Part => ({ text, html: escapeHtml(text) })

const keyPart = (key: NonNullable<EmailContent['key']>): Part =>
  'link' in key
    ? { text: key.link, html: `<a href="${escapeHtml(key.link)}">${escapeHtml(key.link)}</a>` }
    : { text: key.code, html: `<strong>${escapeHtml(key.code)}</strong>` }

/** Renders the content as text and as HTML. */
export function composeEmail(
  { to, username }: MailContext,
  { subject, paragraphs: [first = '', ...others], key }: EmailContent,
): Mail {
  const parts = [
    paragraph(username === undefined ? 'Hello,' : `Hello ${username},`),
    paragraph(first),
    ...(key ? [keyPart(key)] : []),
    ...others.map(paragraph),
  ]
  const title = escapeHtml(subject)
  const body = parts.map(({ html }) => `<p>${html}</p>`).join('\n')
  return {
    to,
    subject,
    text: `${parts.map(({ text }) => text).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${title}</title>\n${body}\n</html>\n`,
  }
}

/** A duration in words, such as `15 minutes`. */
export const lasting = (seconds: number): string => {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Asks the owner of an email address to confirm it. */
export const verificationEmail = (head: MailContext, link: string, seconds: number): Mail =>
  composeEmail(head, {
    subject: `Confirm your email address for ${head.service}`,
    paragraphs: [
      `The account ${head.username} was registered at ${head.service} with this email address. Confirm the address where you are signed in to the account:`,
      `The link works once and expires in ${lasting(seconds)}.`,
      'If you confirm it where you are not signed in, the account is handed over to you: its password, sessions and keys end, and we send you a link to choose a password.',
    ],
    key: { link },
  })

/** Contains a link to choose another password. */
export const resetEmail = (head: MailContext, link: string, seconds: number): Mail =>
  composeEmail(head, {
    subject: `A new password for ${head.service}`,
    paragraphs: [
      'We received a request to reset the password of your account. To choose another password, open this link:',
      `The link works once and expires in ${lasting(seconds)}. Choosing a password ends every session.`,
      'If it was not you, you can ignore this email. Nothing has changed.',
    ],
    key: { link },
  })

/** Confirms that an account was taken over by the owner of its email address, who may choose a password now. */
export const takeOverEmail = (head: MailContext, link: string, seconds: number): Mail =>
  composeEmail(head, {
    subject: `Choose a password for ${head.service}`,
    paragraphs: [
      `You confirmed this email address without being signed in, so the account ${head.username} is yours now. Choose a password here:`,
      `The link works once and expires in ${lasting(seconds)}. After that, request another one with "forgot password".`,
      'Every session, API key, wallet and team membership from before has ended. Check the profiles of the account: their content and their gates are unchanged.',
    ],
    key: { link },
  })

/** The code that confirms the deletion of an account. */
export const deleteCodeEmail = (head: MailContext, code: string, seconds: number): Mail =>
  composeEmail(head, {
    subject: `Your code to delete your account at ${head.service}`,
    paragraphs: [
      'This code deletes your account and its profiles:',
      `It works once and expires in ${lasting(seconds)}. Do not share it.`,
      'If you did not request it, another person is signed in to your account: change your password, which ends every session.',
    ],
    key: { code },
  })

/** Announces the deletion of an account, and how to restore it. */
export const deletionEmail = (head: MailContext, at: Date): Mail =>
  composeEmail(head, {
    subject: `Your account at ${head.service} will be deleted`,
    paragraphs: [
      `Your account and its profiles are hidden now and will be permanently removed on ${at.toISOString().slice(0, 10)}.`,
      'To keep them, sign in before that day.',
    ],
  })

/** Reports that the password of an account has changed. */
export const passwordChangedEmail = (head: MailContext): Mail =>
  composeEmail(head, {
    subject: `Your password for ${head.service} was changed`,
    paragraphs: [
      'The password of your account was changed, and every other session has ended.',
      'If it was not you, reset your password immediately.',
    ],
  })
