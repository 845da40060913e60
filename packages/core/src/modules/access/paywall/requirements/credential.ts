import type { PlainRequirement } from '../../../../model/gate-config.ts'
import { proofsOf } from '../../../../model/gate-proof.ts'
import type { CredentialVerifier, VerifiedPresentation } from '../../../../ports/credential-verifier.ts'
import type { Evidence, RequirementVerifier } from '../../../../ports/requirement-verifier.ts'
import { documentOfKeys } from '../../../agents/agents/index.ts'
import { oncePerVisit, provenDids, type VisitorLookup } from './evidence.ts'

type Of<Type extends string> = Extract<PlainRequirement, { type: Type }>

const MAX_PRESENTED = 10

/** The claims of a credential and its issuer. */
interface Shown {
  readonly types: readonly unknown[]
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** Verifiers of credentials that others issued (W3C VC 1.1 as JWT). Formats without a verifier are never met. */
export function credentialVerifiers(lookup: VisitorLookup, library: CredentialVerifier) {
  // Every external document comes through the guarded fetch.
  const resolve = async (did: string) => {
    const document = await lookup.dids.resolve(did)
    return document && documentOfKeys(document)
  }

  const credentials = oncePerVisit<Shown | undefined>()
  const presentations = oncePerVisit<VerifiedPresentation>()

  /** A credential that is valid now and about a subject that the visitor proved to be. */
  const verified = (jwt: string, subjects: readonly string[], visit: Evidence) =>
    credentials(visit, jwt, () => verify(jwt, subjects))

  async function verify(jwt: string, subjects: readonly string[]): Promise<Shown | undefined> {
    // Without a proven subject no credential can match, so no keys are fetched.
    if (subjects.length === 0) return undefined
    const { types, issuer, subjects: about, expirationDate } = await library.verifyCredential(jwt, resolve)
    // The library checks only the expiry of the JWT.
    if (expirationDate !== undefined && !(Date.parse(String(expirationDate)) > lookup.now().getTime())) return undefined
    if (!about.some(({ id }) => typeof id === 'string' && subjects.includes(id))) return undefined
    return {
      types,
      issuer,
      claims: Object.assign({}, ...about),
    }
  }

  const credential: RequirementVerifier<Of<'credential'>> = async (requirement, evidence) => {
    const { credential_type: wanted, issuer, accepted_formats: formats = ['jwt_vc'] } = requirement
    if (!formats.includes('jwt_vc')) return false
    const subjects = await provenDids(evidence, lookup)
    return anyOf(proofsOf(evidence.proofs, 'credential'), async (proof) => {
      if (proof.format !== 'jwt_vc') return false
      const found = await verified(proof.credential, subjects, evidence)
      return found?.types.includes(wanted) === true && (issuer === undefined || found.issuer === issuer)
    })
  }

  /** The claims are from a presentation of the visitor, each in a credential about the visitor. */
  const dataRequest: RequirementVerifier<Of<'data_request'>> = async ({ requested_claims: requested }, evidence) => {
    const subjects = await provenDids(evidence, lookup)
    return anyOf(proofsOf(evidence.proofs, 'data_request'), async ({ verifiable_presentation: jwt }) => {
      if (subjects.length === 0) return false
      const { holder, credentials: inside } = await presentations(evidence, jwt, () =>
        library.verifyPresentation(jwt, resolve, lookup.didOf(evidence.profile)),
      )
      if (!subjects.includes(holder)) return false
      const claims = await Promise.all(
        inside.slice(0, MAX_PRESENTED).map(async (each) => (await verified(each, subjects, evidence))?.claims),
      )
      const given = Object.assign({}, ...claims) as Record<string, unknown>
      return requested.every(({ claim }) => Object.hasOwn(given, claim) && given[claim] !== null)
    })
  }

  return { credential, dataRequest }
}

/** Whether one of some proofs is valid. The library throws for invalid ones, which counts as false. */
async function anyOf<Proof>(proofs: readonly Proof[], holds: (proof: Proof) => Promise<boolean>): Promise<boolean> {
  for (const proof of proofs) {
    if (await holds(proof).catch(() => false)) return true
  }
  return false
}
