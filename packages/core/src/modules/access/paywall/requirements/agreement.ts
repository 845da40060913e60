import type { PlainRequirement } from '../../../../model/gate-config.ts'
import { proofsOf } from '../../../../model/gate-proof.ts'
import type { RequirementVerifier } from '../../../../ports/requirement-verifier.ts'
import { isSigned } from '../../../agents/agents/index.ts'
import { provenDids, type VisitorLookup } from './evidence.ts'

type Agreement = Extract<PlainRequirement, { type: 'agreement' }>

/**
 * The visitor accepted the document with its account, or signed it: its hash, as the requirement writes it, with a key of the signer. A
 * signature is not secret, so it counts only for visitors who proved to be the signer.
 */
export const agreementVerifier =
  (lookup: VisitorLookup): RequirementVerifier<Agreement> =>
  async ({ document_hash: hash, signature_algo: algorithm = 'EdDSA' }, evidence) => {
    const { caller, profile } = evidence
    if (caller && (await lookup.hasAccepted(caller, profile, hash))) return true
    const proven = await provenDids(evidence, lookup)
    for (const proof of proofsOf(evidence.proofs, 'agreement')) {
      if (proof.document_hash !== hash || (proof.signature_algo ?? 'EdDSA') !== algorithm) continue
      if (!proven.includes(proof.signer_did)) continue
      const keys = await lookup.dids.keysOf(proof.signer_did, 'assertionMethod')
      const curve = algorithm === 'EdDSA' ? 'ed25519' : 'ec'
      if (
        isSigned(
          keys.filter(({ asymmetricKeyType }) => asymmetricKeyType === curve),
          hash,
          proof.signature,
        )
      )
        return true
    }
    return false
  }
