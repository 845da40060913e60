/** How long a provider may take over one answer. */
export const TIMEOUT_SECONDS = 10

/** Whether a URL may be requested without TLS: only on this machine. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Reads a URL of a provider. @throws TypeError when secrets would travel in the clear */
export function providerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url && isLocal(url))) return url
  throw new TypeError(`${text} is not an https:// address`)
}

/** Keeps what `make` gives, and forgets what failed, so that the next sign-in asks again. */
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
