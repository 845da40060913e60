import { z } from 'zod'

/** The options of the feature. */
export const passkeysOptions = {
  /**
   * Whether a device must verify its user, with a PIN or a fingerprint. `preferred` also accepts security keys that only
   * check that they are touched.
   * @default "preferred"
   */
  userVerification: z.enum(['preferred', 'required']).default('preferred'),
}
