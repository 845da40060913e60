import type { Mailer } from '../../ports/mailer.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import { CORE } from './service.ts'

/** Sends each email by two mailers, of which the second may be missing. */
function both(first: Mailer, second: Mailer | undefined): Mailer {
  if (!second) return first
  return {
    async send(mail) {
      await Promise.all([first.send(mail), second.send(mail)])
    },
    async forget(address) {
      await Promise.all([first.forget?.(address), second.forget?.(address)])
    },
    async ping() {
      await Promise.all([first.ping?.(), second.ping?.()])
    },
    async close() {
      await Promise.all([first.close?.(), second.close?.()])
    },
  }
}

/** Test cards, plans for play money, and the mailbox of the sandbox unless a server sends email. Its variable is one of the service. */
export const sandboxAdapter = defineHostAdapter({
  name: CORE,
  prefixes: [],
  variables: {},
  async sandbox(values, { storage, secrets, parts }) {
    const { sandboxBilling, sandboxMailer, sandboxRail } = await import('../../modules/trade/sandbox/index.ts')
    return {
      rails: [sandboxRail({ storage, secret: secrets })],
      billing: sandboxBilling({ storage }),
      mailer: 'SMTP_URL' in values ? undefined : both(sandboxMailer({ storage }), parts.mailer),
    }
  },
})
