import type { JsonObject } from '../../kernel/json.ts'
import type { Html } from './html.ts'

/** What pages know of the service and of the listener they are read through. */
export interface Site {
  readonly name: string
  readonly publicUrl: string
  /** The prefix of the listener: empty, or `/api`. */
  readonly basePath: string
  /** Whether pages load images of other origins, which reveals readers to the author of the page. */
  readonly remoteImages?: boolean | undefined
  /** Whether the listener answers a GET of this path, written as it was registered. Default: undefined. */
  readonly has?: ((path: string) => boolean) | undefined
}

export interface Crumb {
  readonly name: string
  readonly href: string
}

/** A document for people. Everything but `markdown` is ours or escaped; `markdown` is sanitised. */
export interface HtmlView {
  /** The title above it. Default: the heading of its Markdown. */
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly kind?: 'profile' | 'article' | 'website' | undefined
  /** An `https:` address. */
  readonly image?: string | null | undefined
  /** The breadcrumbs, from the top; without itself. */
  readonly crumbs?: readonly Crumb[] | undefined
  readonly jsonLd?: JsonObject | undefined
  /** Shown above the Markdown, the heading included. */
  readonly head?: Html | undefined
  /** Untrusted text. */
  readonly markdown?: string | undefined
  /** Whether a list of the sections of the Markdown is shown. */
  readonly sections?: boolean | undefined
  /** Shown below the Markdown. */
  readonly foot?: Html | undefined
}

/** An address of this service on the listener at hand; any other as it is. */
export function hrefOn({ publicUrl, basePath }: Site, address: string): string {
  if (address.startsWith('/')) return `${basePath}${address}`
  const rest = address.startsWith(publicUrl) ? address.slice(publicUrl.length) : undefined
  return rest === '' || rest?.startsWith('/') ? `${basePath}${rest || '/'}` : address
}
