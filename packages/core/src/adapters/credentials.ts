import type { verifyCredential } from 'did-jwt-vc'
import { assertInstalled } from '../kernel/assert-installed.ts'
import type { CredentialVerifier, ResolveDid } from '../ports/credential-verifier.ts'

type Resolvable = Parameters<typeof verifyCredential>[1]
type Resolution = Awaited<ReturnType<Resolvable['resolve']>>

const resolverOf = (resolve: ResolveDid): Resolvable => ({
  async resolve(did) {
    const document = await resolve(did)
    return {
      didResolutionMetadata: document ? { contentType: 'application/did+json' } : { error: 'notFound' },
      didDocument: (document ?? null) as Resolution['didDocument'],
      didDocumentMetadata: {},
    }
  },
})

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/**
 * Verifies W3C Verifiable Credentials 1.1 as JWT (`jwt_vc`), for gates that require a credential or data. The library is loaded
 * for the first one.
 *
 * @throws when `did-jwt-vc` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/gates.md
 * @example
 * gates: { credentialVerifier: vcCredentials() }
 */
export function vcCredentials(): CredentialVerifier {
  assertInstalled('did-jwt-vc')
  const library = () => import('did-jwt-vc')

  return {
    async verifyCredential(jwt, resolve) {
      const { verifyCredential } = await library()
      // The issuer is the DID whose key signed; the credential may name another issuer.
      const { verifiableCredential, issuer } = await verifyCredential(jwt, resolverOf(resolve), {
        policies: { aud: false },
        proofPurpose: 'assertionMethod',
      })
      const { credentialSubject, type, expirationDate } = verifiableCredential
      return {
        types: listOf(type),
        issuer,
        subjects: listOf(credentialSubject) as Awaited<ReturnType<CredentialVerifier['verifyCredential']>>['subjects'],
        expirationDate,
      }
    },
    async verifyPresentation(jwt, resolve, domain) {
      const { verifyPresentation } = await library()
      const { verifiablePresentation, issuer } = await verifyPresentation(jwt, resolverOf(resolve), {
        domain,
        proofPurpose: 'authentication',
      })
      return {
        holder: issuer,
        credentials: listOf(verifiablePresentation.verifiableCredential ?? [])
          .map((one) => (one as { readonly proof?: { readonly jwt?: unknown } }).proof?.jwt)
          .map((each) => (typeof each === 'string' ? each : '')),
      }
    },
  }
}
