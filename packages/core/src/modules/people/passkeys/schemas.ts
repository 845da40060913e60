import { z } from 'zod'
import { listOf } from '../../../http/documents/lists.ts'
import { trimmedLine } from '../../../kernel/text-fields.ts'
import type { Passkey } from '../../../ports/storage/passkeys.ts'

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'Must be base64url')

/** A credential id has at most 1,023 bytes. */
const credentialId = bytes(1_364)
const publicKeyType = z.literal('public-key')
const transports = z
  .array(
    z
      .string()
      .min(1)
      .max(32)
      .regex(/^[a-z-]+$/, 'Lowercase letters and hyphens'),
  )
  .max(8)
const userVerification = z.enum(['preferred', 'required'])
const name = trimmedLine(64).meta({ examples: ['Laptop'] })

// Browsers add members to what WebAuthn defines, so unknown ones are ignored.
const registration = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: publicKeyType,
    response: z.object({
      clientDataJSON: bytes(8_192),
      attestationObject: bytes(32_768),
      transports: transports.optional(),
    }),
  })
  .describe('The JSON of the created credential: `RegistrationResponseJSON` of WebAuthn')

const assertion = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: publicKeyType,
    response: z.object({
      clientDataJSON: bytes(8_192),
      authenticatorData: bytes(8_192),
      signature: bytes(8_192),
      userHandle: bytes(128).nullish(),
    }),
  })
  .describe('The JSON of the used credential: `AuthenticationResponseJSON` of WebAuthn')

export const addPasskeyBody = z.strictObject({ response: registration, name: name.optional() })
export const renamePasskeyBody = z.strictObject({ name })
export const passkeySignInBody = z.strictObject({ response: assertion })
const proof = z.strictObject({
  password: z.string().min(1).max(1024).optional(),
  response: assertion.optional(),
})
export const deletePasskeyBody = proof.refine(
  ({ password, response }) => (password === undefined) !== (response === undefined),
  { message: 'Requires either password or response' },
)
export const passkeyOptionsBody = proof
  .refine(({ password, response }) => password === undefined || response === undefined, {
    message: 'Requires at most one of password and response',
  })
  .nullish()

/** An id that is not a UUID belongs to no passkey. */
export const passkeyParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })

const descriptor = z.object({ id: z.string(), type: publicKeyType, transports: z.array(z.string()) })

export const creationOptionsSchema = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
    attestation: z.literal('none'),
  })
  .describe('`PublicKeyCredentialCreationOptionsJSON` of WebAuthn')
  .meta({ id: 'PasskeyCreationOptions' })

export const requestOptionsSchema = z
  .object({ challenge: z.string(), rpId: z.string(), timeout: z.int(), userVerification })
  .describe('`PublicKeyCredentialRequestOptionsJSON` of WebAuthn')
  .meta({ id: 'PasskeyRequestOptions' })

export const passkeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    backed_up: z.boolean().describe('Whether it is stored in more than one place, such as a password manager'),
  })
  .meta({ id: 'Passkey' })
export const passkeyListSchema = listOf(passkeySchema)
export const passkeyDeletedSchema = z.object({ success: z.literal(true) }).meta({ id: 'DeletedPasskey' })
export const passkeysDeletedSchema = z
  .object({ success: z.literal(true), deleted: z.int().min(0) })
  .meta({ id: 'DeletedPasskeys' })

export const serializePasskey = (passkey: Passkey): z.input<typeof passkeySchema> => ({
  id: passkey.id,
  name: passkey.name,
  created_at: passkey.createdAt.toISOString(),
  last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  backed_up: passkey.isBackedUp,
})
