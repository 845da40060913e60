/** Mailers, for hosts that have `nodemailer` installed, and the schema of email addresses. */

export type { DirectoryMailerOptions } from '../adapters/mailers/directory-mailer.ts'
export { directoryMailer } from '../adapters/mailers/directory-mailer.ts'
export type { SmtpMailerOptions } from '../adapters/mailers/smtp-mailer.ts'
export { smtpMailer } from '../adapters/mailers/smtp-mailer.ts'
export { emailAddress } from '../kernel/email-address.ts'
