import { z } from 'zod'
import { defineError } from '../kernel/errors.ts'

export const invalidProof = defineError('invalid_proof', 400, 'The proofs do not match the format of EEP v0.1')

const text = (max: number) => z.string().min(1).max(max)
const did = z
  .string()
  .max(512)
  .regex(/^did:[a-z0-9]+:.+$/)
const sha256 = z.string().regex(/^sha256:[a-f0-9]{64}$/)

const common = {
  issued_at: z.iso.datetime({ offset: true }).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  nonce: z.string().max(128).optional(),
}

const x402Payload = z.strictObject({
  payload: text(16_384),
  signature: z.string().regex(/^0x[0-9a-fA-F]{128,2048}$/),
  network: text(64),
  settlement_tx: text(128).optional(),
})

/** Further members of the document and its scope are permitted, and belong to what its principal signed. */
const intent = z.looseObject({
  intent_id: text(128),
  agent_did: did,
  principal_did: did,
  action: text(128),
  scope: z.looseObject({
    expires_at: z.iso.datetime({ offset: true }),
    max_amount: z.number().min(0).optional(),
    currency: text(8).optional(),
    allowed_resources: z.array(text(512)).max(100).optional(),
  }),
  principal_signature: z.string().min(10).max(1024),
  created_at: z.iso.datetime({ offset: true }),
})

const knownProofs = [
  z.strictObject({
    type: z.literal('payment'),
    ...common,
    token: text(4096).optional(),
    provider: text(64).optional(),
    tier: text(32).optional(),
    chain: text(64).optional(),
    tx_hash: z
      .string()
      .regex(/^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{87,88})$/)
      .optional(),
    confirmations: z.int().min(0).optional(),
    x402_payload: x402Payload.optional(),
  }),
  z.strictObject({ type: z.literal('trust'), ...common, self_attested: z.literal(true) }),
  z.strictObject({
    type: z.literal('identity'),
    ...common,
    method: z.enum(['did_verified', 'email_verified', 'domain_verified', 'kyc', 'any']),
    evidence: z.string().max(8192).optional(),
  }),
  z.strictObject({
    type: z.literal('connection'),
    ...common,
    subscriber_did: did,
    relation: z.enum(['follower', 'following', 'mutual', 'any']).optional(),
  }),
  z.strictObject({
    type: z.literal('credential'),
    ...common,
    credential: text(65_536),
    format: z.enum(['jwt_vc', 'ldp_vc', 'sd_jwt_vc']),
  }),
  z.strictObject({
    type: z.literal('capability'),
    ...common,
    declared_capabilities: z.array(text(128)).min(1).max(100),
  }),
  z.strictObject({ type: z.literal('allowlist'), ...common, did }),
  z.strictObject({ type: z.literal('reciprocal'), ...common, entity_did: did, granted_access: text(64) }),
  z.strictObject({ type: z.literal('proof_of_intent'), ...common, intent_document: intent }),
  z.strictObject({
    type: z.literal('data_request'),
    verifiable_presentation: z.string().min(10).max(65_536),
    claimed_fields: z.array(text(128)).max(50).optional(),
  }),
  z.strictObject({
    type: z.literal('agreement'),
    document_hash: sha256,
    signature: z.string().min(10).max(1024),
    signer_did: did,
    signature_algo: z.enum(['EdDSA', 'ES256K']).optional(),
  }),
] as const

const extensionProof = z.looseObject({
  type: z.string().regex(/^x-[a-z][a-z0-9_-]*$/, { abort: true }),
  ...common,
})

/** The proofs of a request (EEP v0.1, `gate.proof.json`). */
export const proofsSchema = z.array(z.union([z.discriminatedUnion('type', [...knownProofs]), extensionProof])).max(10)

type KnownProof = z.infer<(typeof knownProofs)[number]>

/** A proof that a client presents to meet a requirement. Only its format is checked here. */
export type GateProof = KnownProof | z.infer<typeof extensionProof>

/** A proof of one known type. */
export type ProofOf<Type extends KnownProof['type']> = Extract<KnownProof, { readonly type: Type }>

/** The proofs of one type. */
export const proofsOf = <Type extends KnownProof['type']>(proofs: readonly GateProof[], type: Type) =>
  proofs.filter((proof): proof is ProofOf<Type> => proof.type === type)

const CLOCK_SKEW_MS = 60_000

/** Whether a proof is current: neither from the future nor expired. */
export function isCurrent(proof: GateProof, now: Date): boolean {
  const issued = 'issued_at' in proof && typeof proof.issued_at === 'string' ? Date.parse(proof.issued_at) : undefined
  const expires =
    'expires_at' in proof && typeof proof.expires_at === 'string' ? Date.parse(proof.expires_at) : undefined
  if (issued !== undefined && issued > now.getTime() + CLOCK_SKEW_MS) return false
  return expires === undefined || expires > now.getTime()
}

/** The nonce of a single-use proof. */
export const nonceOf = (proof: GateProof): string | undefined =>
  'nonce' in proof && typeof proof.nonce === 'string' && proof.nonce !== '' ? proof.nonce : undefined

const MAX_HEADER = 65_536

/**
 * Parses the proofs in a request header: a JSON array, plain or as base64url.
 *
 * @throws `invalid_proof` when it is not one
 */
export function readProofs(header: string | undefined): readonly GateProof[] {
  if (header === undefined) return []
  if (header.length > MAX_HEADER) throw invalidProof({ message: 'The proofs are too long' })
  const source = header.trimStart().startsWith('[') ? header : Buffer.from(header, 'base64url').toString('utf8')
  let parsed: unknown
  try {
    parsed = JSON.parse(source)
  } catch {
    throw invalidProof({ message: 'X-EEP-Proofs must be a JSON array of proofs' })
  }
  const proofs = proofsSchema.safeParse(parsed)
  if (!proofs.success) throw invalidProof({ details: { issues: z.treeifyError(proofs.error) } })
  return proofs.data
}
