import type { Site } from './view.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** The names that a source of a policy can have; an IPv6 address cannot. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1']

/**
 * Returns the sources by which a Content-Security-Policy allows one script of the service: its path at the public origin, under the
 * prefix of the listener. For a loopback public URL also at the other name of this machine and at the port of the listener. The
 * `Host` of a request is not used, because its sender chooses it.
 */
export function scriptSources(
  { publicUrl, basePath, port }: Pick<Site, 'publicUrl' | 'basePath' | 'port'>,
  path: string,
): readonly string[] {
  const url = new URL(publicUrl)
  if (!LOOPBACK.test(url.hostname)) return [`${url.origin}${basePath}${path}`]
  const own = port?.()
  const ports = new Set([url.port, ...(own === undefined ? [] : [String(own)])])
  return LOOPBACK_NAMES.flatMap((name) =>
    [...ports].map((each) => `${url.protocol}//${name}${each && `:${each}`}${basePath}${path}`),
  )
}
