import type { Mail } from '../ports/mailer.ts'

/** Asks for no automatic replies, such as holiday notices (RFC 3834). `All` would suppress bounces too. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' } as const

/** An email as nodemailer expects it: nothing in it can make nodemailer read a file or a URL. */
export const messageOf = ({ to, subject, text, html, headers }: Mail, from: string) => ({
  from,
  // As an object, so that an address is never read as a list of addresses.
  to: { name: '', address: to },
  subject,
  text,
  html,
  headers: { ...headers, ...AUTOMATIC },
  disableFileAccess: true,
  disableUrlAccess: true,
})
