/** A URL in its normal form, or why it cannot be the address of a site. */
export type NormalUrl = { readonly url: string } | { readonly problem: string }

/**
 * Brings the URL of a site into its normal form: the host in ASCII, without a default port and trailing slashes. URLs in headers
 * are ASCII (RFC 8288), and origins are compared in this form.
 */
export function normalUrl(text: string): NormalUrl {
  if (!URL.canParse(text)) return { problem: 'Must be a URL such as https://profiles.example' }
  const { protocol, username, password, hostname, search, hash, href } = new URL(text)
  if (!/^https?:$/.test(protocol)) return { problem: 'Must start with http:// or https://' }
  if (username !== '' || password !== '') return { problem: 'Must not contain a user name or a password' }
  if (hostname.endsWith('.')) return { problem: 'The host must not end in a dot' }
  if (search !== '' || hash !== '' || /[?#]/.test(text)) return { problem: 'Must not have a query or a fragment' }
  return { url: href.replace(/\/+$/, '') }
}

/**
 * Returns the path, query and fragment of an address below a base URL in normal form; undefined when it leads elsewhere. Addresses
 * are compared as they are parsed, so another spelling of the host is the same.
 */
export function pathBelow(base: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname, search, hash } = new URL(address)
  const { origin: own, pathname: basePath } = new URL(base)
  const below = basePath === '/' ? '' : basePath
  if (origin !== own || !(pathname === below || pathname.startsWith(`${below}/`))) return undefined
  return `${pathname.slice(below.length)}${search}${hash}`
}

/** Whether two URLs name the same site, in whatever spelling. */
export function isSameSite(left: string, right: string): boolean {
  const [one, other] = [normalUrl(left), normalUrl(right)]
  return 'url' in one && 'url' in other && one.url === other.url
}

/** Whether the URL of a site has https, or is one of this computer, so that no third party can read or change what is sent. */
export function isSecureUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$|\.localhost$/.test(hostname)
}
