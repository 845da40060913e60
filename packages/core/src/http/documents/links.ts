/** A typed link (RFC 8288). */
export interface Link {
  readonly rel: string
  /** A path of this service, sent with the prefix of the listener; or an absolute URL. */
  readonly href: string
  readonly type?: string | undefined
  readonly title?: string | undefined
  /** The route that the link needs. Without that route the link is not sent. */
  readonly needs?: string | undefined
}

/** Returns the links whose routes exist. */
export const offeredLinks = (
  links: readonly Link[],
  { has }: { readonly has?: ((path: string) => boolean) | undefined },
): readonly Link[] => links.filter(({ needs }) => needs === undefined || has?.(needs) === true)

const parameter = (name: string, value: string | undefined) =>
  value === undefined ? '' : `; ${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`

/** Writes a `Link` header. */
export const linkHeader = (links: readonly Link[], basePath: string): string =>
  links
    .map(({ rel, href, type, title }) => {
      const target = href.startsWith('/') ? `${basePath}${href}` : href
      return `<${target}>${parameter('rel', rel)}${parameter('type', type)}${parameter('title', title)}`
    })
    .join(', ')
