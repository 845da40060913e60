import { isIP } from 'node:net'
import { join } from 'node:path'
import { directoryMailer, smtpMailer } from '@eep/core/email'
import type { Mailer } from '@eep/core/ports'
import type { Values } from './variables.ts'

/** Returns a sender address in the domain of this host. */
function ownSender(baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname
  return `no-reply@${isIP(host) || host.startsWith('[') ? 'localhost' : host}`
}

/** Sends email by SMTP if a server is configured, otherwise writes each email to a file in the data directory. */
export function configuredMailer(values: Values, dataDir: string): Mailer {
  const { SMTP_URL: url, MAIL_FROM: from = ownSender(values.EEP_BASE_URL) } = values
  return url === undefined ? directoryMailer({ directory: join(dataDir, 'mail'), from }) : smtpMailer({ url, from })
}
