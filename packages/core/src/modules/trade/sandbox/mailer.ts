import { randomUUID } from 'node:crypto'
import type { Mailer } from '../../../ports/mailer.ts'
import type { Storage } from '../../../ports/storage/storage.ts'

/** Options of {@link sandboxMailer}. */
export interface SandboxMailerOptions {
  /** The storage of the service, which needs the group `sandbox`. */
  readonly storage: Storage
  /** Default: the clock of this machine. */
  readonly now?: (() => Date) | undefined
}

/** How many emails the mailbox keeps: the latest. */
const KEPT = 500

/**
 * Puts each email into the mailbox of the sandbox, where `/sandbox/mail` shows it, and sends none.
 *
 * @throws Error without the group `sandbox` in the storage
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sandbox.md
 * @example
 * await app.register(eep, { ...options, email: { mailer: sandboxMailer({ storage }) }, modules: [sandbox()] })
 */
export function sandboxMailer({ storage, now = () => new Date() }: SandboxMailerOptions): Mailer {
  if (!storage.read.sandboxMail) throw new Error('sandboxMailer needs a storage with the group sandbox')
  return {
    async send({ to, subject, html, text }) {
      const mail = { id: randomUUID(), to, subject, html, text, sentAt: now() }
      await storage.transaction(async (tx) => tx.sandboxMail?.insert(mail, KEPT))
    },
  }
}
