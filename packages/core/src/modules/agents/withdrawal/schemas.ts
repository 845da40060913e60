import { z } from 'zod'

const claimId = z.string().min(1).max(256)
const did = z
  .string()
  .max(512)
  .regex(/^did:[a-z0-9]+:.+$/, 'Write a DID')

export const claimParams = z.object({ claim_id: claimId })

/** `WithdrawalRequest` of EEP v0.1. */
export const withdrawalBody = z.strictObject({
  claim_id: claimId,
  agent_did: did,
  reason: z.enum([
    'gdpr_erasure',
    'ccpa_deletion',
    'purpose_fulfilled',
    'revoke_consent',
    'operator_instruction',
    'other',
  ]),
  issued_at: z.iso.datetime().describe('At most 60 seconds from the time of the service'),
  nonce: z.string().min(16).max(128).describe('Valid once'),
  signature: z
    .string()
    .min(16)
    .max(128)
    .describe('By a key of agent_did over the canonical JSON (RFC 8785) of the other members, base64url'),
  publisher_did: did.optional(),
  reason_detail: z.string().max(512).optional(),
})
export type WithdrawalRequest = z.output<typeof withdrawalBody>

/** `WithdrawalAcknowledgement` of EEP v0.1. */
export const acknowledgementSchema = z
  .strictObject({
    withdrawal_id: z.string(),
    claim_id: z.string(),
    status: z.literal('completed'),
    acknowledged_at: z.iso.datetime(),
    expected_completion_at: z.iso.datetime(),
    publisher_signature: z
      .string()
      .describe('By a key of /.well-known/jwks.json over the canonical JSON of the other members, base64url'),
  })
  .meta({ id: 'WithdrawalAcknowledgement' })

export const claimStatusSchema = z
  .strictObject({
    claim_id: z.string(),
    status: z.literal('completed').describe('The service stores no claims, so nothing remains to be withdrawn'),
  })
  .meta({ id: 'WithdrawalClaim' })
