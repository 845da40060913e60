/** Mailers, for hosts that have `nodemailer` installed. */

export type { DirectoryMailerOptions } from './defaults/mailers/directory-mailer.ts'
export { directoryMailer } from './defaults/mailers/directory-mailer.ts'
export type { SmtpMailerOptions } from './defaults/mailers/smtp-mailer.ts'
export { smtpMailer } from './defaults/mailers/smtp-mailer.ts'
