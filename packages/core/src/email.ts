/** Mailers, for hosts that have `nodemailer` installed, and the schema of email addresses. */

export type { DirectoryMailerOptions } from './defaults/mailers/directory-mailer.ts'
export { directoryMailer } from './defaults/mailers/directory-mailer.ts'
export type { SmtpMailerOptions } from './defaults/mailers/smtp-mailer.ts'
export { smtpMailer } from './defaults/mailers/smtp-mailer.ts'
export { emailAddress } from './kernel/email-address.ts'
