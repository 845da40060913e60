import { z } from 'zod'
import type { VerifiedCredential } from '../../../ports/credential-verifier.ts'

const MAX_ITEMS = 50
const did = z.string().regex(/^did:[a-z0-9]+:.+$/)
const hash = z.string().regex(/^sha256:[a-f0-9]{64}$/)
const purpose = z.string().regex(/^dpv:[A-Z][a-zA-Z]+$/)
const currency = z.string().regex(/^[A-Z]{3}$/)
const retention = z.int().min(0).max(3_650)
const text = z.string().min(1).max(256)

/** What a delegation permits (EEP v0.1, `delegation.proof.json`). */
const subjectSchema = z.strictObject({
  id: did,
  permitted_actions: z.array(text).min(1).max(MAX_ITEMS),
  permitted_endpoints: z.array(text).max(MAX_ITEMS).optional(),
  max_payment_amount: z.number().min(0).optional(),
  currency_code: currency.optional(),
  scope_hash: hash.optional(),
  operator_privacy_policy_hash: hash.optional(),
  allowed_dpv_purposes: z.array(purpose).max(MAX_ITEMS).optional(),
  max_retention_days: retention.optional(),
})

/** The intended use of a delegation. Omitted members are not checked. */
export const delegationUse = z.strictObject({
  agent_did: did.max(512).optional().describe('The agent that presents the delegation'),
  action: text.optional().describe('For example gate:payment or subscribe:sse'),
  endpoint: text.optional().describe('The path or URL of the request'),
  amount: z.number().min(0).optional(),
  currency: currency.optional(),
  policy_hash: hash.optional().describe('The hash of the privacy policy that the publisher knows'),
  requested_claims: z
    .array(z.strictObject({ claim: text, purpose, retention_days: retention }))
    .max(20)
    .optional(),
})
export type DelegationUse = z.output<typeof delegationUse>

/** Why a delegation does not permit a use. */
export const DELEGATION_ERRORS = [
  'invalid_credential',
  'wrong_type',
  'invalid_subject',
  'expired',
  'agent_not_delegated',
  'action_not_permitted',
  'endpoint_not_permitted',
  'amount_exceeded',
  'currency_not_permitted',
  'policy_hash_mismatch',
  'purpose_not_permitted',
  'retention_exceeded',
] as const
export type DelegationError = (typeof DELEGATION_ERRORS)[number]

/**
 * Whether a path matches a pattern, in which `*` matches any characters except `/`, and `**` matches any. The time is bounded by
 * the product of both lengths, because anyone can send patterns.
 *
 * @internal
 */
export function matchesGlob(pattern: string, path: string): boolean {
  /** The lengths of the path prefixes that match the pattern so far. */
  let reached: ReadonlySet<number> = new Set([0])
  for (const [part] of pattern.matchAll(/\*\*|\*|[^*]/gs)) {
    const next = new Set<number>()
    for (const start of reached) {
      if (part !== '*' && part !== '**') {
        if (path.startsWith(part, start)) next.add(start + part.length)
        continue
      }
      // A longer prefix that is already in the set has added the rest.
      for (let end = start; end <= path.length && !next.has(end); end++) {
        next.add(end)
        if (part === '*' && path[end] === '/') break
      }
    }
    reached = next
  }
  return reached.has(path.length)
}

/** Returns every reason why a credential does not permit a use; none when it does. */
export function delegationErrors(
  { types, subjects, expirationDate }: VerifiedCredential,
  use: DelegationUse,
  now: Date,
): readonly DelegationError[] {
  if (!types.includes('EEPDelegationProof')) return ['wrong_type']
  const subject = subjects.length === 1 ? subjectSchema.safeParse(subjects[0]) : undefined
  if (!subject?.success) return ['invalid_subject']
  const { data } = subject
  const { action, endpoint, amount, requested_claims: claims = [] } = use
  const { permitted_endpoints: endpoints, max_payment_amount: most, allowed_dpv_purposes: purposes } = data
  const longest = data.max_retention_days
  const policy = data.operator_privacy_policy_hash
  const checks: Readonly<
    Record<Exclude<DelegationError, 'invalid_credential' | 'wrong_type' | 'invalid_subject'>, boolean>
  > = {
    expired: expirationDate !== undefined && !(Date.parse(String(expirationDate)) > now.getTime()),
    agent_not_delegated: use.agent_did !== undefined && use.agent_did !== data.id,
    action_not_permitted: action !== undefined && !data.permitted_actions.includes(action),
    endpoint_not_permitted:
      endpoint !== undefined && endpoints !== undefined && !endpoints.some((each) => matchesGlob(each, endpoint)),
    amount_exceeded: amount !== undefined && most !== undefined && amount > most,
    currency_not_permitted:
      amount !== undefined && data.currency_code !== undefined && use.currency !== data.currency_code,
    policy_hash_mismatch: policy !== undefined && use.policy_hash !== undefined && policy !== use.policy_hash,
    purpose_not_permitted: purposes !== undefined && claims.some((claim) => !purposes.includes(claim.purpose)),
    retention_exceeded: longest !== undefined && claims.some((claim) => claim.retention_days > longest),
  }
  return DELEGATION_ERRORS.filter((error) => error in checks && checks[error as keyof typeof checks])
}
