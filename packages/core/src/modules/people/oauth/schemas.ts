import { z } from 'zod'

const text = (max: number) => z.string().max(max).optional().catch(undefined)

export const providerParams = z.object({
  provider: z.string().min(1).max(64).describe('`github`, `google`, `oidc`, or another configured provider'),
})

export const startQuery = z.object({
  next: text(2_048).describe('A path of the frontend to go to afterwards; anything else is ignored'),
})

/** A callback always redirects, so invalid values count as missing. */
export const callbackQuery = z.object({
  code: text(4_096),
  state: text(256),
  error: text(256),
  error_description: text(4_096),
})
