import { z } from 'zod'
import { port } from '../../../framework/options/fields.ts'
import type { SandboxSigner } from '../../../ports/sandbox-signer.ts'

/** The options of the feature. */
export const sandboxOptions = {
  /**
   * Opens the pages that act as all visitors: `/sandbox?key=…`. At least 22 letters, digits, `-` and `_`, new at each start, and the
   * same on each instance. Without it in a request, these pages are 404.
   * @default 128 random bits; `app.eep.sandbox.url` has it
   */
  key: z
    .string()
    .regex(/^[\w-]{22,}$/, 'Must have at least 22 letters, digits, - and _')
    .optional(),
  /**
   * Signs for the test wallets that pages offer to browsers: `sandboxWallet()` of `@eep/payments-x402`. Without it, pages offer the
   * wallets of the browser.
   */
  wallet: port<SandboxSigner>('addressOf', 'signTransfer', 'signMessage').optional(),
  /** The email address of the account as which visitors with the key can continue: the owner of a demo. */
  owner: z.email().optional(),
  /**
   * Whether there is a mailbox at `/sandbox/mail`: for `sandboxMailer()`. Pages about an email that was sent link to it.
   * @default true
   */
  mailbox: z.boolean().default(true),
}
