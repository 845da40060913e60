/** Where an answer goes: to a site, to a program on this computer, or to a program that registered its own scheme. */
export type RedirectKind = 'https' | 'loopback' | 'private-use'

/** What the operator permits besides https and loopback, and forbids. */
export interface RedirectOptions {
  /** Whole addresses with private-use schemes that apps may use. */
  readonly privateUseRedirects: readonly string[]
  /** Hosts that no answer goes to, nor to their subdomains. Default: none. */
  readonly blockedHosts?: readonly string[] | undefined
}

const MAX_LENGTH = 2_000
/** Printable ASCII without characters that URLs do not have, fragments, wildcards and backslashes, which browsers read as slashes. */
const PERMITTED = /^[\x21\x24-\x29\x2b-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/
const LOOPBACK = /^(https?):\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/
const HTTPS = /^https:\/\/[^/?:@\\]/
const PRIVATE_USE = /^[a-z][a-z0-9+.-]*:\/{0,2}[^/]/
const NEVER =
  /^(?:https?|wss?|ftp|file|data|javascript|vbscript|about|blob|filesystem|view-source|mailto|tel|sms|intent):/i

/** A loopback address without its port (RFC 8252, 7.3). Undefined for other addresses. */
function withoutPort(uri: string): string | undefined {
  const [, scheme, host, port, rest] = LOOPBACK.exec(uri) ?? []
  if (scheme === undefined || (port !== undefined && Number(port) > 65_535)) return undefined
  return `${scheme}://${host}${rest}`
}

const isPlain = (uri: string): boolean =>
  uri.length <= MAX_LENGTH && PERMITTED.test(uri) && URL.canParse(uri) && !hasUserInformation(uri)

function hasUserInformation(uri: string): boolean {
  const { username, password } = new URL(uri)
  return username !== '' || password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri)
}

/** Whether the name of an https address, as the parser spells it, is one of this computer. */
const isLoopback = (hostname: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|(?:.+\.)?localhost|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/.test(hostname)

/** The kind of an address. Undefined for an address that no app may use, whatever the operator permits. */
export function redirectKind(uri: string): RedirectKind | undefined {
  if (!isPlain(uri)) return undefined
  if (withoutPort(uri) !== undefined) return 'loopback'
  if (HTTPS.test(uri)) {
    const { hostname } = new URL(uri)
    if (hostname.endsWith('.')) return undefined
    return isLoopback(hostname) ? 'loopback' : 'https'
  }
  return PRIVATE_USE.test(uri) && !NEVER.test(uri) ? 'private-use' : undefined
}

/** Whether a host, or a domain above it, is in a list. */
export const isBlockedHost = (host: string, blocked: readonly string[]): boolean =>
  blocked.some((each) => host === each || host.endsWith(`.${each}`))

/** Whether an app may list an address among its redirect URIs. */
export const isUsableRedirect = (uri: string, { privateUseRedirects, blockedHosts = [] }: RedirectOptions): boolean => {
  const kind = redirectKind(uri)
  if (kind === 'private-use') return privateUseRedirects.includes(uri)
  return kind === 'loopback' || (kind === 'https' && !isBlockedHost(new URL(uri).hostname, blockedHosts))
}

/**
 * Whether an answer for an app may go to an address: one that the app listed, character by character. On loopback addresses the port is
 * ignored, because programs listen on any.
 */
export function allowsRedirect(
  { redirectUris }: { readonly redirectUris: readonly string[] },
  uri: string,
  options: RedirectOptions,
): boolean {
  if (!isUsableRedirect(uri, options)) return false
  if (redirectUris.includes(uri)) return true
  const local = withoutPort(uri)
  return local !== undefined && redirectUris.some((listed) => isPlain(listed) && withoutPort(listed) === local)
}
