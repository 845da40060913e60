import type { Mail } from '../ports/mailer.ts'

/** An email as nodemailer expects it: nothing in it can name a file or a URL to be read. */
export const messageOf = ({ to, subject, text, html, headers }: Mail, from: string) => ({
  from,
  // As an object, so that an address is never read as a list of addresses.
  to: { name: '', address: to },
  subject,
  text,
  html,
  ...(headers && { headers: { ...headers } }),
  disableFileAccess: true,
  disableUrlAccess: true,
})
