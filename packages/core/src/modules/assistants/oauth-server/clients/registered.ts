import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Seal } from '../../../../kernel/seal.ts'
import { oauthError } from '../oauth-error.ts'
import { type App, appName, httpsHosts } from './app.ts'
import { MAX_CLIENT_ID, REGISTERED_PREFIX } from './client-id.ts'

/** What an app registers of itself (RFC 7591), as far as it is kept. */
export interface Registration {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly clientUri?: string | undefined
}

/** What the seal of registrations is made for. */
export const REGISTRATION_PURPOSE = 'oauth-server-registration'

const SUBJECT = 'registration'
const MAX_OPENED = 32_768

/** A list of texts as one: as JSON, or compressed when that is shorter, as it is for redirect URIs that begin in the same way. */
function pack(texts: readonly string[]): string {
  const json = JSON.stringify(texts)
  const compressed = deflateRawSync(json).toString('base64url')
  return compressed.length < Buffer.byteLength(json) ? compressed : json
}

/** Reads what {@link pack} wrote. It was authenticated, so only this service can have written it. */
const unpack = (text: string): readonly string[] =>
  JSON.parse(
    text.startsWith('[')
      ? text
      : inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: MAX_OPENED }).toString('utf8'),
  )

/**
 * The id of a registered app: its registration, encrypted. Nothing is stored, so registrations cannot fill a table.
 *
 * @throws `invalid_client_metadata` when the id would be longer than 1,200 characters
 */
export function sealRegistration({ name, redirectUris, clientUri }: Registration, seal: Pick<Seal, 'seal'>): string {
  const id = `${REGISTERED_PREFIX}${seal.seal(pack([name, clientUri ?? '', ...redirectUris]), SUBJECT)}`
  if (id.length > MAX_CLIENT_ID)
    throw oauthError('invalid_client_metadata', 'The name and the redirect URIs are too long together')
  return id
}

/** The app of an id that {@link sealRegistration} made. Undefined when none of the secrets opens it. */
export function openRegistration(clientId: string, seal: Pick<Seal, 'open'>): App | undefined {
  const text = seal.open(clientId.slice(REGISTERED_PREFIX.length), SUBJECT)
  if (text === undefined || !clientId.startsWith(REGISTERED_PREFIX)) return undefined
  const [name, , ...redirectUris] = unpack(text)
  return {
    kind: 'registered',
    clientId,
    name: appName(name ?? ''),
    host: undefined,
    verified: false,
    redirectUris,
    authentication: 'none',
    listedHosts: httpsHosts(redirectUris),
  }
}
