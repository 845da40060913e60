import { z } from 'zod'

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
}
