import { pathBelow } from '../../../../kernel/public-url.ts'
import { PROFILE_PREFIXES } from '../../../../model/profile-type.ts'
import { isServiceDocument } from '../resources/service-documents.ts'

/** What a URL, a path or a URI of this service names. */
export type ResourceAddress =
  | { readonly kind: 'profile'; readonly path: string; readonly profile: string }
  | { readonly kind: 'contents'; readonly path: string; readonly profile: string }
  /** A page, or a category of pages. */
  | { readonly kind: 'content'; readonly path: string; readonly profile: string }
  | { readonly kind: 'file'; readonly path: string; readonly id: string }
  /** Any other document. */
  | { readonly kind: 'document'; readonly path: string }

/** The greatest length of an address, in characters. */
export const MAX_ADDRESS = 2_048

const PROFILE = new RegExp(`^/(${PROFILE_PREFIXES.join('|')})/([^/]+)$`)
const CONTENT = new RegExp(`^(/(?:${PROFILE_PREFIXES.join('|')})/[^/]+)/content(?:/(.+))?$`)
const FILE = /^\/(?:files|media)\/(\d+)(?:\/(?:markdown|transcript|content))?$/
const FEED = new RegExp(`^/feed(?:/(?:${PROFILE_PREFIXES.join('|')}|posts|hashtags)/[^/]+)?$`)
/** Characters that the parser of URLs removes or takes for a slash. */
const ODD = /[\p{Cc}\\]/u
/** Segments that lead elsewhere, also encoded. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?=$|[/?#])/i
/** What selects a format: the tools choose it. */
const SUFFIX = /\.(md|json|toon|html)$/

const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** The path that a URL, a path or a URI names, as it was written; undefined for addresses of other services. */
function writtenPath(text: string, publicUrl: string): string | undefined {
  const own = /^eep:\/\/([^/]+)(\/.*)?$/.exec(text)
  if (own) return own[1] === new URL(publicUrl).host ? (own[2] ?? '/') : undefined
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) return pathBelow(publicUrl, text)
  return text.startsWith('/') ? text : `/${text}`
}

const isEncodedWell = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** The path on this service that a text names, in normal form and without a query; undefined for addresses of other services. */
function pathOf(text: string, publicUrl: string): string | undefined {
  if (ODD.test(text) || DOTS.test(text)) return undefined
  const written = writtenPath(text, publicUrl)
  if (written === undefined || written.startsWith('//')) return undefined
  const { pathname } = new URL(`http://localhost${written}`)
  return isEncodedWell(pathname) ? withoutSlashes(pathname) || '/' : undefined
}

/**
 * Reads the address of a resource of this service: a URL, a path, or a URI `eep://`. Its path is in normal form (percent-encoded), so
 * that what was checked is what is asked for. Undefined for addresses of other services, those that are too long, and those with
 * segments of dots.
 */
export function resourceAddress(text: string, publicUrl: string): ResourceAddress | undefined {
  if (text.length > MAX_ADDRESS) return undefined
  const asked = pathOf(text.trim(), publicUrl)
  if (asked === undefined) return undefined
  const path = asked.replace(SUFFIX, '')
  if (PROFILE.test(path)) return { kind: 'profile', path, profile: path }
  const [, profile, below] = CONTENT.exec(path) ?? []
  if (profile !== undefined) return { kind: below === undefined ? 'contents' : 'content', path, profile }
  const id = FILE.exec(path)?.[1]
  return id === undefined ? { kind: 'document', path: asked } : { kind: 'file', path: `/files/${id}`, id }
}

/** Whether a resource is one that assistants read: those that are listed, fit a template, or are found by searching. */
export const isReadable = (address: ResourceAddress): boolean =>
  address.kind !== 'document' || isServiceDocument(address.path) || FEED.test(address.path)

/** The DID of the profile with a path: `did:web:{host}:u:ada`. */
export function didOfPath(publicUrl: string, profile: string): string {
  const { host, pathname } = new URL(publicUrl)
  return ['did:web', encodeURIComponent(host), ...`${pathname}${profile}`.split('/').filter(Boolean)].join(':')
}
