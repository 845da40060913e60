import { z } from 'zod'
import { port } from '../../../framework/options/fields.ts'
import type { SandboxSigner } from '../../../ports/sandbox-signer.ts'

/** The options of the feature. */
export const sandboxOptions = {
  /**
   * Opens the pages that change things for all visitors: `/sandbox?key=…`. At least 22 letters, digits, `-` and `_`, new at each start.
   * Without a key, these pages are 404.
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
}
