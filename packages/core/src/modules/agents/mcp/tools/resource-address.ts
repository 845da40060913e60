import { pathBelow } from '../../../../kernel/public-url.ts'
import { PROFILE_PREFIXES } from '../../../../model/profile-type.ts'

/** What a URL, a path or a URI of this service names. */
export type ResourceAddress =
  | { readonly kind: 'profile'; readonly path: string; readonly profile: string }
  | { readonly kind: 'contents'; readonly path: string; readonly profile: string }
  /** A page, or a category of pages. */
  | { readonly kind: 'content'; readonly path: string; readonly profile: string }
  | { readonly kind: 'file'; readonly path: string; readonly id: string }
  /** Any other document. */
  | { readonly kind: 'document'; readonly path: string }

const PROFILE = new RegExp(`^/(${PROFILE_PREFIXES.join('|')})/([^/]+)$`)
const CONTENT = new RegExp(`^(/(?:${PROFILE_PREFIXES.join('|')})/[^/]+)/content(?:/(.+))?$`)
const FILE = /^\/(?:files|media)\/(\d+)(?:\/(?:markdown|transcript|content))?$/
/** What selects a format: the tools choose it. */
const SUFFIX = /\.(md|json|toon|html)$/

/** The path on this service that a text names; undefined for addresses of other services. */
function pathOf(text: string, publicUrl: string): string | undefined {
  const own = /^eep:\/\/([^/]+)(\/.*)?$/.exec(text)
  if (own) return own[1] === new URL(publicUrl).host ? (own[2] ?? '/') : undefined
  const path = /^[a-z][a-z\d+.-]*:/i.test(text) ? pathBelow(publicUrl, text) : `/${text.replace(/^\/+/, '')}`
  return path === undefined ? undefined : (path.split(/[?#]/)[0] ?? '').replace(/\/+$/, '') || '/'
}

/** Reads the address of a resource of this service: a URL, a path, or a URI `eep://`. Undefined for those of other services. */
export function resourceAddress(text: string, publicUrl: string): ResourceAddress | undefined {
  const asked = pathOf(text.trim(), publicUrl)
  if (asked === undefined || asked.startsWith('//')) return undefined
  const path = asked.replace(SUFFIX, '')
  if (PROFILE.test(path)) return { kind: 'profile', path, profile: path }
  const [, profile, below] = CONTENT.exec(path) ?? []
  if (profile !== undefined) return { kind: below === undefined ? 'contents' : 'content', path, profile }
  const id = FILE.exec(path)?.[1]
  return id === undefined ? { kind: 'document', path: asked } : { kind: 'file', path: `/files/${id}`, id }
}

/** The DID of the profile with a path: `did:web:{host}:u:ada`. */
export function didOfPath(publicUrl: string, profile: string): string {
  const { host, pathname } = new URL(publicUrl)
  return ['did:web', encodeURIComponent(host), ...`${pathname}${profile}`.split('/').filter(Boolean)].join(':')
}
