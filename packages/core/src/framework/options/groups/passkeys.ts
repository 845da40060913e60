import { z } from 'zod'
import type { PasskeyToolkit } from '../../../ports/passkey-toolkit.ts'
import { port } from '../fields.ts'

export const passkeys = {
  /**
   * Verifies passkeys: `passkeyToolkit()` of `@eep/core/passkeys`. Without it, accounts cannot add or use passkeys.
   */
  toolkit: port<PasskeyToolkit>('verifyRegistration', 'verifyAssertion').optional(),
  /**
   * Whether a device must verify its user, with a PIN or a fingerprint. `preferred` also accepts security keys that only
   * check that they are touched.
   * @default "preferred"
   */
  userVerification: z.enum(['preferred', 'required']).default('preferred'),
}
