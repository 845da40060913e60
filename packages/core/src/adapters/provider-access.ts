/** The time in which a provider must respond to a request. */
export const TIMEOUT_SECONDS = 10

/** Whether a URL may be requested without TLS: only on this machine. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Reads a URL of a provider. @throws TypeError when secrets would be sent unencrypted */
export function providerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url && isLocal(url))) return url
  throw new TypeError(`${text} is not an https:// address`)
}

/** Caches the result of `make`, but not a failure, so that the next sign-in tries again. */
export function keepOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
