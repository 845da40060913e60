import { isIP } from 'node:net'
import { join } from 'node:path'
import { directoryMailer } from '../../adapters/mailers/directory-mailer.ts'
import { smtpMailer } from '../../adapters/mailers/smtp-mailer.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import { matching, openVariable, secretVariable } from '../variable.ts'
import { CORE } from './service.ts'

const NO_SERVER = 'is not a smtp:// or smtps:// address'

/** Returns a sender address in the domain of this host. */
function ownSender(baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname
  return `no-reply@${isIP(host) || host.startsWith('[') ? 'localhost' : host}`
}

/** Sends email by SMTP if a server is configured, otherwise writes each email to a file in the data directory. */
export const mailVariables = defineHostAdapter({
  name: CORE,
  prefixes: ['SMTP_'],
  variables: {
    SMTP_URL: secretVariable(
      matching(/^smtps?:\/\/\S+$/, NO_SERVER).refine(URL.canParse, NO_SERVER),
      'for example smtp://user:password@mail.example.com:587; default: each email is a file',
      'smtp://user:password@mail.example.com:587',
      {
        comment: `Email. Without SMTP_URL, emails are written as files (.eml) to the directory mail of EEP_DATA_DIR. Default sender: no-reply@<host of
EEP_BASE_URL>.`,
      },
    ),
    MAIL_FROM: openVariable(
      matching(/^([^<>@\r\n]+ <)?[^\s<>@,]+@[^\s<>@,]+>?$/, 'is not a sender').refine(
        (text) => text.includes('<') === text.endsWith('>'),
        'is not a sender',
      ),
      'for example Profiles <no-reply@example.com>',
      'Profiles <no-reply@example.com>',
    ),
  },
  warnings: [
    {
      when: ({ production, has }) => production && !has('SMTP_URL'),
      problem: () =>
        'SMTP_URL is not set, so no email is delivered: each is a file in the directory mail of EEP_DATA_DIR',
    },
  ],
  parts: ({ SMTP_URL: url, MAIL_FROM }, { dataDir, baseUrl }) => {
    const from = MAIL_FROM ?? ownSender(baseUrl)
    const mailer =
      url === undefined ? directoryMailer({ directory: join(dataDir, 'mail'), from }) : smtpMailer({ url, from })
    return { mailer }
  },
})
