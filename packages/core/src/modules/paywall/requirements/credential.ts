import type { verifyCredential, verifyPresentation } from 'did-jwt-vc'
import type { PlainRequirement } from '../../../model/gate-config.ts'
import { proofsOf } from '../../../model/gate-proof.ts'
import type { Evidence, RequirementVerifier } from '../../../ports/requirement-verifier.ts'
import { type DidResolver, methodsOf } from '../../agents/index.ts'
import { oncePerVisit, provenDids, type VisitorFacts } from './evidence.ts'

type Of<Type extends string> = Extract<PlainRequirement, { type: Type }>

type Resolvable = Parameters<typeof verifyCredential>[1]

/** Loaded with the first credential: it takes about 8 MB, and most services are never shown one. */
const library = () => import('did-jwt-vc')

const MAX_PRESENTED = 10

/** What a credential says, and who says so. */
interface Shown {
  readonly types: readonly unknown[]
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** A document with explicit lists of keys per use: where a list is missing, the library accepts all keys. */
const purposeful = (document: Parameters<typeof methodsOf>[0]) => ({
  id: document.id,
  authentication: methodsOf(document, 'authentication'),
  assertionMethod: methodsOf(document, 'assertionMethod'),
})

/** Our resolver, as the library wants it: every external document came through the guarded fetch. */
const resolvable = (dids: DidResolver): Resolvable => ({
  async resolve(did) {
    const document = await dids.resolve(did)
    return {
      didResolutionMetadata: document ? { contentType: 'application/did+json' } : { error: 'notFound' },
      didDocument: (document ? purposeful(document) : null) as Awaited<
        ReturnType<Resolvable['resolve']>
      >['didDocument'],
      didDocumentMetadata: {},
    }
  },
})

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Verifiers of credentials that others issued (W3C VC 1.1 as JWT). Formats without a verifier are never met. */
export function credentialVerifiers(facts: VisitorFacts) {
  const resolver = resolvable(facts.dids)

  const credentials = oncePerVisit<Shown | undefined>()
  const presentations = oncePerVisit<Awaited<ReturnType<typeof verifyPresentation>>>()

  /** A credential that is valid now and about a subject that the visitor proved to be. */
  const verified = (jwt: string, subjects: readonly string[], visit: Evidence) =>
    credentials(visit, jwt, () => verify(jwt, subjects))

  async function verify(jwt: string, subjects: readonly string[]): Promise<Shown | undefined> {
    // Without a proven subject no credential can match, so no keys are fetched.
    if (subjects.length === 0) return undefined
    // The issuer is whose key signed; what the credential says of its issuer may be another name.
    const { verifyCredential } = await library()
    const { verifiableCredential, issuer } = await verifyCredential(jwt, resolver, {
      policies: { aud: false },
      proofPurpose: 'assertionMethod',
    })
    const { credentialSubject, type, expirationDate } = verifiableCredential
    // The library reads the end of the JWT alone.
    if (expirationDate !== undefined && !(Date.parse(String(expirationDate)) > facts.now().getTime())) return undefined
    const about = listOf(credentialSubject).map((one) => one as { readonly id?: unknown } & Record<string, unknown>)
    if (!about.some(({ id }) => typeof id === 'string' && subjects.includes(id))) return undefined
    return {
      types: listOf(type),
      issuer,
      claims: Object.assign({}, ...about),
    }
  }

  const credential: RequirementVerifier<Of<'credential'>> = async (requirement, evidence) => {
    const { credential_type: wanted, issuer, accepted_formats: formats = ['jwt_vc'] } = requirement
    if (!formats.includes('jwt_vc')) return false
    const subjects = await provenDids(evidence, facts)
    return anyOf(proofsOf(evidence.proofs, 'credential'), async (proof) => {
      if (proof.format !== 'jwt_vc') return false
      const found = await verified(proof.credential, subjects, evidence)
      return found?.types.includes(wanted) === true && (issuer === undefined || found.issuer === issuer)
    })
  }

  /** The claims were handed over in a presentation of the visitor's own, each inside a credential about them. */
  const dataRequest: RequirementVerifier<Of<'data_request'>> = async ({ requested_claims: requested }, evidence) => {
    const subjects = await provenDids(evidence, facts)
    return anyOf(proofsOf(evidence.proofs, 'data_request'), async ({ verifiable_presentation: jwt }) => {
      if (subjects.length === 0) return false
      const { verifiablePresentation, issuer: holder } = await presentations(evidence, jwt, async () => {
        const { verifyPresentation } = await library()
        const domain = facts.didOf(evidence.profile)
        return verifyPresentation(jwt, resolver, { domain, proofPurpose: 'authentication' })
      })
      if (!subjects.includes(holder)) return false
      const inside = listOf(verifiablePresentation.verifiableCredential ?? []).slice(0, MAX_PRESENTED)
      const jwts = inside.map((one) => (one as { readonly proof?: { readonly jwt?: unknown } }).proof?.jwt)
      const claims = await Promise.all(
        jwts.map(async (each) =>
          typeof each === 'string' ? (await verified(each, subjects, evidence))?.claims : undefined,
        ),
      )
      const given = Object.assign({}, ...claims) as Record<string, unknown>
      return requested.every(({ claim }) => Object.hasOwn(given, claim) && given[claim] !== null)
    })
  }

  return { credential, dataRequest }
}

/** Whether one of some proofs holds. The library throws at what is wrong, which is a no. */
async function anyOf<Proof>(proofs: readonly Proof[], holds: (proof: Proof) => Promise<boolean>): Promise<boolean> {
  for (const proof of proofs) {
    if (await holds(proof).catch(() => false)) return true
  }
  return false
}
