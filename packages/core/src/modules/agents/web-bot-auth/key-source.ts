import type { NamedSigner } from '../../../ports/signature-toolkit.ts'
import type { KeyNames } from './signer-keys.ts'

const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'
const MAX_URL = 1_024

/** Where the keys of a signer are, and what having them there proves. */
export interface KeySource {
  /** The URL that is fetched. */
  readonly url: string
  /** The URL that identifies the signer. */
  readonly identifier: string
  /** Undefined when the author of the file may be another one than the operator of the host. */
  readonly origin: string | undefined
  readonly names: KeyNames
}

const httpsUrl = (text: string): URL | undefined => {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url : undefined
}

/** The key directory of an origin. Undefined for text that is not an origin, as it is serialized. */
function directoryOf(text: string): KeySource | undefined {
  const url = httpsUrl(text)
  if (!url || (text !== url.origin && text !== `${url.origin}/`)) return undefined
  const directory = `${url.origin}${DIRECTORY_PATH}`
  return { url: directory, identifier: directory, origin: url.origin, names: 'directory' }
}

/** A key set at any URL. One path is one signer, whatever query it is fetched with. */
function keySetAt(text: string): KeySource | undefined {
  const url = httpsUrl(text)
  if (!url) return undefined
  url.hash = ''
  return { url: url.href, identifier: `${url.origin}${url.pathname}`, origin: undefined, names: 'thumbprint' }
}

/** Returns where a signer states that its keys are; `unsupported` for an unknown `type`, undefined for a URL that is not valid. */
export function keySourceOf({ url, type = 'directory' }: NamedSigner): KeySource | 'unsupported' | undefined {
  if (type === 'directory') return directoryOf(url)
  return type === 'jwks_uri' ? keySetAt(url) : 'unsupported'
}

/** The keys of the Trusted Agent Protocol, which their labels select. */
export const tapKeys = (jwksUrl: string): KeySource => ({
  url: jwksUrl,
  identifier: jwksUrl,
  origin: undefined,
  names: 'label',
})
