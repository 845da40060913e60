import { z } from 'zod'
import { listOf } from '../../../http/documents/lists.ts'
import { emailAddress, knownAddress } from '../../../kernel/email-address.ts'
import { trimmedLine } from '../../../kernel/text-fields.ts'
import { ROLES } from '../../../model/permission.ts'
import { PLANS } from '../../../model/plan.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { usernameSchema } from '../../profiles/profiles/index.ts'

const WITHOUT_CONTROL_CHARACTERS = [/^\P{Cc}*$/u, 'Without control characters'] as const

const email = emailAddress.meta({ examples: ['ada@example.com'] })
/** Neither trimmed nor normalized. `password.ts` has the rules for new ones. */
const password = z.string().min(1).max(1024)
const fullName = trimmedLine(128)

export const registerBody = z.strictObject({
  email,
  password: password.describe(
    '8 to 128 characters with an uppercase letter, a lowercase letter and a number, and not a common one',
  ),
  username: usernameSchema,
  full_name: fullName.nullish(),
})

/** Any address that may be stored is accepted: not every account was created with {@link registerBody}. */
const knownEmail = z
  .string()
  .overwrite(knownAddress)
  .min(1)
  .max(254)
  .regex(...WITHOUT_CONTROL_CHARACTERS)

export const loginBody = z.strictObject({ email: knownEmail, password })

const secondFactorCode = z
  .string()
  .min(6)
  .max(64)
  .regex(...WITHOUT_CONTROL_CHARACTERS)
  .describe('Six digits of the app, or a recovery code')

export const secondStepBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(256)
    .regex(...WITHOUT_CONTROL_CHARACTERS)
    .describe('`details.token` of the error `second_factor_required`'),
  code: secondFactorCode,
})
export const secondFactorCodeBody = z.strictObject({ code: secondFactorCode })
export const confirmSecondFactorBody = z.strictObject({
  code: secondFactorCode,
  password: password.optional().describe('The password, for an account that has one'),
})
export const secondFactorSchema = z
  .object({ enabled: z.boolean(), recovery_codes_left: z.int().min(0) })
  .meta({ id: 'SecondFactor' })
export const secondFactorKeySchema = z
  .object({
    secret: z.string().describe('The key for the app, in base 32'),
    otpauth_url: z.string().describe('The URL that adds the key to an authenticator app, also as a QR code'),
  })
  .meta({ id: 'SecondFactorKey' })
export const recoveryCodesSchema = z
  .object({
    recovery_codes: z.array(z.string()).describe('Each works once in place of a code. They are not shown again.'),
  })
  .meta({ id: 'RecoveryCodes' })

export const userSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    email_verified: z.boolean(),
    email_owned: z
      .boolean()
      .describe('Whether the account proved in a session or with its password that it reads the address'),
    username: z.string(),
    full_name: z.string().nullable(),
    language: z
      .string()
      .nullable()
      .describe('The language of emails, as BCP 47; null for the language of the service')
      .meta({ examples: ['de'] }),
    created_at: z.iso.datetime(),
    tier: z.enum(PLANS),
    profiles: z
      .array(
        z.object({
          id: z.int(),
          profile_type: z.enum(PROFILE_TYPES),
          username: z.string(),
          role: z.enum(ROLES),
        }),
      )
      .describe('Profiles that it owns, then those it is a member of, each oldest first; at most 100'),
    active_profile_id: z.int().nullable().describe('The profile that acts when a request names none'),
    deletion_scheduled_at: z.iso.datetime().nullable(),
    isAdmin: z.boolean().optional().describe('Left out for API keys'),
  })
  .meta({ id: 'Account' })

/** An account as its caller may see it. */
export const callerAccountSchema = userSchema
  .extend({
    email: z.string().optional().describe('Left out for connected apps'),
    email_verified: z.boolean().optional().describe('Left out for connected apps'),
    email_owned: z.boolean().optional().describe('Left out for connected apps'),
  })
  .meta({ id: 'CallerAccount' })

/** The languages are those of the pages of the service. */
export const updateAccountBody = (languages: readonly string[]) =>
  z.strictObject({
    language: z
      .enum(languages)
      .nullable()
      .describe('The language of emails, one of those of the pages; null for the language of the service'),
  })

const signInShape = { expires_at: z.iso.datetime(), user: userSchema }

export const sessionSchema = z
  .object({
    token: z.string().describe('For `Authorization: Bearer`; the cookie has another token of the same session'),
    token_type: z.literal('Bearer'),
    ...signInShape,
  })
  .meta({ id: 'SignIn' })

/** A sign-in of a browser, whose only token is in the cookie. */
export const browserSessionSchema = z.object(signInShape).meta({ id: 'BrowserSignIn' })

const DISCONNECT_APPS = 'Also disconnects the apps that were connected in these sessions. Default: false'

export const endSessionsQuery = z.object({
  disconnect_apps: z
    .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })
    .default(false)
    .describe(DISCONNECT_APPS),
})

/** Session ids are UUIDs, so other texts are not looked up. */
export const sessionParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })

export const listedSessionSchema = z
  .object({
    id: z.uuid(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().describe('Accurate to five minutes'),
    expires_at: z.iso.datetime(),
    user_agent: z
      .string()
      .nullable()
      .describe('The client that signed in, summarized')
      .meta({ examples: ['Firefox on Linux'] }),
    current: z.boolean().describe('Whether this request uses the session'),
    uses: z
      .array(z.enum(['cookie', 'bearer']))
      .min(1)
      .describe('Its tokens that are valid: that of the cookie ends with a logout, the bearer token does not'),
  })
  .meta({ id: 'AccountSession' })

export const sessionListSchema = listOf(listedSessionSchema)

export const endedSessionsSchema = z
  .object({ success: z.literal(true), ended: z.int().min(0) })
  .meta({ id: 'EndedSessions' })

export const forgotPasswordBody = z.strictObject({ email })

/** An emailed token. Anything else is rejected by the service as invalid. */
const mailToken = z
  .string()
  .min(1)
  .max(256)
  .regex(...WITHOUT_CONTROL_CHARACTERS)
  .describe('The token of the link in the email')

export const changeEmailBody = z.strictObject({
  new_email: email,
  password: password
    .optional()
    .describe('The password of the account. Without it, the last proof must be at most ten minutes old'),
})

export const proveBody = z
  .strictObject({ password: password.optional(), code: secondFactorCode.optional() })
  .refine(({ password, code }) => (password === undefined) !== (code === undefined), 'Send either a password or a code')
export const provedSchema = z
  .object({ success: z.literal(true), proved_until: z.iso.datetime() })
  .meta({ id: 'PersonProved' })

export const resetPasswordBody = z.strictObject({
  token: mailToken,
  password,
  remove_other_sign_ins: z
    .boolean()
    .optional()
    .describe(
      'Also deletes all passkeys and linked sign-in providers of the account, in case another person added one. Default: false',
    ),
})

export const changePasswordBody = z.strictObject({
  current_password: password,
  new_password: password,
  disconnect_apps: z.boolean().default(false).describe(DISCONNECT_APPS),
})

export const verifyBody = z.strictObject({ token: mailToken })

export const deleteAccountBody = z
  .strictObject({
    password: password.optional(),
    code: z
      .string()
      .min(1)
      .max(64)
      .regex(...WITHOUT_CONTROL_CHARACTERS)
      .optional()
      .describe('The six digits in the email of `/auth/account/delete-code`'),
  })
  .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
    message: 'Requires either password or code',
  })

export const doneSchema = z.object({ success: z.literal(true), message: z.string() }).meta({ id: 'Confirmation' })

export const verifiedSchema = doneSchema
  .extend({
    email_owned: z
      .boolean()
      .describe('Whether the account owns the address. False without a session of the account: nothing else changed'),
  })
  .meta({ id: 'EmailVerification' })

export const deletionSchema = z
  .object({
    success: z.literal(true),
    deletion_scheduled_at: z.iso.datetime().describe('When the account is purged, unless it signs in before'),
  })
  .meta({ id: 'AccountDeletion' })

export const loggedOutSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
