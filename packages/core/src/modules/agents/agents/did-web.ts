const HOST = /^[a-z0-9.-]{1,253}(%3A\d{1,5})?$/i
const SEGMENT = /^[A-Za-z0-9._-]{1,128}$/

/**
 * The URL of the document of a `did:web`: `https://host/path/did.json`, or `/.well-known/did.json` without a path (the
 * did:web method, 2.5). Undefined when the text is not a `did:web`.
 */
export function didWebUrl(did: string): URL | undefined {
  const [scheme, method, host = '', ...path] = did.split(':')
  if (scheme !== 'did' || method !== 'web' || !HOST.test(host)) return undefined
  if (!path.every((segment) => SEGMENT.test(segment) && !/^\.+$/.test(segment))) return undefined
  const pathname = path.length === 0 ? '/.well-known/did.json' : `/${path.join('/')}/did.json`
  const address = `https://${host.replace(/%3a/i, ':')}${pathname}`
  return URL.canParse(address) ? new URL(address) : undefined
}
