/**
 * Returns the URI that a signature of a request is about: the public origin with the path and the query as they were sent, also when the
 * request line has an absolute URL. Undefined when that names another authority, or is not one.
 */
export function targetUriOf(url: string, { origin, host }: URL): string | undefined {
  if (url.startsWith('/')) return `${origin}${url}`
  const [, authority, path] = ABSOLUTE.exec(url) ?? []
  if (authority === undefined || path === undefined || !URL.canParse(authority)) return undefined
  return new URL(authority).host === host ? `${origin}${path}` : undefined
}
const ABSOLUTE = /^(https?:\/\/[^/?#@]+)(\/.*)$/i
