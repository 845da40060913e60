import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isMissing, isRecord, jsonOf, mediaTypeOf } from '../site.ts'

const MEDIA_TYPE = 'application/http-message-signatures-directory+json'

/** The key directory of Web Bot Auth, where the site has one, has public Ed25519 keys and no private ones. */
export const webBotAuth: SiteRule = {
  id: 'web-bot-auth',
  category: 'discovery',
  summary: 'The key directory of Web Bot Auth, if the site sends signed requests, is valid',
  weight: 2,
  fix: `Serve the public keys as a JWKS of Ed25519 keys, with the media type ${MEDIA_TYPE}.`,
  doc: 'https://datatracker.ietf.org/doc/draft-meunier-web-bot-auth-architecture/',
  async check(site) {
    const answer = await site.get('/.well-known/http-message-signatures-directory')
    if (isMissing(answer)) return skip('The site has no key directory of Web Bot Auth.')
    if (answer.is !== 'answer') return skip(answer.reason)
    const keys = answer.status === 200 ? jsonOf(answer)?.keys : undefined
    if (!Array.isArray(keys) || keys.length === 0) return fail('The key directory has no keys.', describe(answer))
    if (keys.some((key) => isRecord(key) && 'd' in key)) return fail('The key directory publishes a private key.')
    const isKey = (key: unknown) =>
      isRecord(key) && key.kty === 'OKP' && key.crv === 'Ed25519' && /^[\w-]{43}$/.test(String(key.x))
    if (!keys.every(isKey)) return fail('A key of the directory is not an Ed25519 key.')
    if (mediaTypeOf(answer) !== MEDIA_TYPE) return warn(`The key directory is not ${MEDIA_TYPE}.`, describe(answer))
    return pass(`The key directory has ${keys.length} keys.`)
  },
}
