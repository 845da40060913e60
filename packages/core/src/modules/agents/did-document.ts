import { z } from 'zod'

/** A JWK of a verification method; what kind of key it is, the verifier finds out. */
const publicKeyJwk = z.looseObject({ kty: z.string() })

// Nothing but keys is kept: libraries follow what else a method may name, proofs by others for one, without end.
const verificationMethod = z.object({
  id: z.string(),
  type: z.string(),
  controller: z.string().optional(),
  publicKeyJwk: publicKeyJwk.optional(),
  publicKeyMultibase: z.string().optional(),
  publicKeyBase58: z.string().optional(),
  publicKeyHex: z.string().optional(),
})

// Each key may be tried for a signature, so their number is limited.
const relationship = z
  .array(z.union([z.string(), verificationMethod]))
  .max(20)
  .optional()

/** The parts of a DID document (W3C DID Core 1.0) that say which keys speak for its subject. */
export const didDocumentSchema = z.object({
  id: z.string(),
  verificationMethod: z.array(verificationMethod).max(100).optional(),
  authentication: relationship,
  assertionMethod: relationship,
})

export type DidDocument = z.infer<typeof didDocumentSchema>
export type VerificationMethod = z.infer<typeof verificationMethod>

/** What a key of a document may be used for. */
export type Relationship = 'authentication' | 'assertionMethod'

const absolute = (id: string, did: string) => (id.startsWith('#') ? did + id : id)

/** The methods a document names for a relationship, embedded ones as well. One that it does not list is not among them. */
export function methodsOf(document: DidDocument, relationship: Relationship): readonly VerificationMethod[] {
  const { id: did, verificationMethod: methods = [] } = document
  return (document[relationship] ?? []).flatMap((entry) => {
    if (typeof entry !== 'string') return [entry]
    const found = methods.find(({ id }) => absolute(id, did) === absolute(entry, did))
    return found ? [found] : []
  })
}
