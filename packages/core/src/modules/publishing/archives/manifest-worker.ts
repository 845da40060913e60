// Verifies manifests outside of the event loop: one of a large archive has many thousands of members, which must be sorted to be
// compared with the signature.
import { createPublicKey, verify } from 'node:crypto'
import { answerJobs } from '../../../kernel/answer-jobs.ts'
import { canonicalJson } from '../../../kernel/digest.ts'

/** The bytes of a manifest. */
export interface ManifestJob {
  readonly bytes: Uint8Array
}

/** Whether a manifest is signed by the key that it names. */
function isSigned({ bytes }: ManifestJob): boolean {
  try {
    const { signature, ...unsigned } = JSON.parse(new TextDecoder().decode(bytes))
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: unsigned.key.x }, format: 'jwk' })
    return verify(null, Buffer.from(canonicalJson(unsigned)), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

answerJobs(isSigned)
