import { createPublicKey } from 'node:crypto'
import { canonicalJson, sha256 } from '../../../../kernel/digest.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isMissing, isRecord, jsonOf, mediaTypeOf } from '../site.ts'

const MEDIA_TYPE = 'application/http-message-signatures-directory+json'
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const MIN_RSA_BITS = 2_048

type Jwk = Readonly<Record<string, unknown>>

/** The members of a public key that its thumbprint covers (RFC 7638); undefined for other kinds of keys. */
function publicMembers({ kty, crv, x, e, n }: Jwk): Jwk | undefined {
  if (kty === 'OKP' && crv === 'Ed25519') return { crv, kty, x }
  return kty === 'RSA' ? { e, kty, n } : undefined
}

function isPublicKey(members: Jwk): boolean {
  try {
    const key = createPublicKey({ key: members as { readonly kty: string }, format: 'jwk' })
    return key.asymmetricKeyType === 'ed25519' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
  } catch {
    return false
  }
}

/** The key directory of signed requests, where the site has one, has public keys under their thumbprints and no private ones. */
export const signatureDirectory: SiteRule = {
  id: 'signature-directory',
  category: 'discovery',
  summary: 'The key directory of HTTP message signatures, if the site sends signed requests, is valid',
  weight: 2,
  fix: `Serve public Ed25519 or RSA keys as a JWKS over https, each with its thumbprint as kid, with the media type ${MEDIA_TYPE}.`,
  doc: 'https://datatracker.ietf.org/doc/draft-ietf-webbotauth-httpsig-protocol/',
  async check(site) {
    const answer = await site.get('/.well-known/http-message-signatures-directory')
    if (isMissing(answer)) return skip('The site has no key directory of HTTP message signatures.')
    if (answer.is !== 'answer') return skip(answer.reason)
    const keys = answer.status === 200 ? jsonOf(answer)?.keys : undefined
    if (!Array.isArray(keys) || keys.length === 0) return fail('The key directory has no keys.', describe(answer))
    if (keys.some((key) => isRecord(key) && PRIVATE_MEMBERS.some((member) => member in key))) {
      return fail('The key directory publishes a private key.')
    }
    for (const key of keys) {
      const members = isRecord(key) ? publicMembers(key) : undefined
      if (!members || !isPublicKey(members)) return fail('A key of the directory is neither an Ed25519 nor an RSA key.')
      const thumbprint = sha256(canonicalJson(members), 'base64url')
      if (key.kid !== undefined && key.kid !== thumbprint) {
        return fail('The kid of a key is not its thumbprint.', `${String(key.kid)} instead of ${thumbprint}`)
      }
    }
    if (mediaTypeOf(answer) !== MEDIA_TYPE) return warn(`The key directory is not ${MEDIA_TYPE}.`, describe(answer))
    if (!answer.url.startsWith('https:')) return warn('The key directory is not served over https.', answer.url)
    return pass(`The key directory has ${keys.length} keys.`)
  },
}
