/** The names that a host belongs to, from its own to the coarsest. The owners of the coarser ones are unknown. */
export interface KeyHost {
  /** The host itself, without its port. */
  readonly host: string
  /** The last three labels: a registrable domain below a suffix like `co.uk`, or one host below another domain. */
  readonly area: string
  /** The last two labels: a registrable domain, or a suffix that many share. */
  readonly site: string
}

/** Returns the names of the host of a URL. */
export function keyHostOf(url: string): KeyHost {
  const { hostname } = new URL(url)
  const labels = hostname.split('.')
  return { host: hostname, area: labels.slice(-3).join('.'), site: labels.slice(-2).join('.') }
}
