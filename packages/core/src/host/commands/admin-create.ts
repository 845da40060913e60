import { openService } from '../open-service.ts'
import { type Command, textOf } from './command.ts'

const OUTCOMES = {
  created: 'has a new account and is an administrator',
  promoted: 'is an administrator now',
  unchanged: 'is an administrator already',
} as const

/** Makes an account an administrator, and creates it if there is none. */
export const adminCreate: Command = {
  name: 'admin create',
  usage: '<email> [--username <name>]',
  summary: 'makes an account an administrator',
  help: `Makes the account with this email address an administrator. If no account has it, creates one and prints a link to set
its password, which works once. The host may be running. Refuses accounts whose email address was never verified.

  --username <name>   the username of a new account; default: derived from the address`,
  positionals: 1,
  options: { username: { type: 'string' } },
  async run({ host, options, positionals: [email = ''], readConfiguration }) {
    const service = await openService(host, readConfiguration())
    try {
      const { account, outcome, passwordLink } = await service.eep.admin.appoint({
        email,
        username: textOf(options, 'username'),
      })
      const lines = [`${account.email} (${account.username}) ${OUTCOMES[outcome]}`]
      if (passwordLink) {
        lines.push(`Set a password before ${passwordLink.expiresAt.toISOString()}:`, passwordLink.url)
      }
      return { text: lines.join('\n'), json: { outcome, account, password_link: linkJson(passwordLink) } }
    } finally {
      await service.close()
    }
  },
}

const linkJson = (link: { readonly url: string; readonly expiresAt: Date } | null) =>
  link && { url: link.url, expires_at: link.expiresAt.toISOString() }
