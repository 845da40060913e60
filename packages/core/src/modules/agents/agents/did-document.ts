import { z } from 'zod'

/** A JWK of a verification method. The verifier determines the type of key. */
const publicKeyJwk = z.looseObject({ kty: z.string() })

// Only keys are kept: libraries would follow other members, such as proofs, without limit.
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

/** The parts of a DID document (W3C DID Core 1.0) that name the keys of its subject. */
export const didDocumentSchema = z.object({
  id: z.string(),
  verificationMethod: z.array(verificationMethod).max(100).optional(),
  authentication: relationship,
  assertionMethod: relationship,
})

export type DidDocument = z.infer<typeof didDocumentSchema>
export type VerificationMethod = z.infer<typeof verificationMethod>

/** The verification relationships of a key. */
export type Relationship = 'authentication' | 'assertionMethod'

const absolute = (id: string, did: string) => (id.startsWith('#') ? did + id : id)

/** The verification methods that a document lists for a relationship, including embedded ones. */
export function methodsOf(document: DidDocument, relationship: Relationship): readonly VerificationMethod[] {
  const { id: did, verificationMethod: methods = [] } = document
  return (document[relationship] ?? []).flatMap((entry) => {
    if (typeof entry !== 'string') return [entry]
    const method = methods.find(({ id }) => absolute(id, did) === absolute(entry, did))
    return method ? [method] : []
  })
}

/** A document with explicit lists of keys per use: where a list is missing, libraries accept all keys. */
export const documentOfKeys = (document: DidDocument) => ({
  id: document.id,
  authentication: methodsOf(document, 'authentication'),
  assertionMethod: methodsOf(document, 'assertionMethod'),
})
