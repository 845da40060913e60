import { PROFILE_PREFIXES } from '../../../../model/profile-type.ts'
import { resourceAddress } from '../tools/resource-address.ts'

/** A resource that a client watches. */
export interface WatchedResource {
  /** As the client wrote it. */
  readonly uri: string
  readonly kind: 'profile' | 'contents' | 'feed'
  readonly path: string
  /** The path of its profile. */
  readonly profile: string
}

/** What an event changed. */
export interface PublicChange {
  /** The type of the event, such as `content.updated`. */
  readonly type: string
  /** The path of its subject. */
  readonly path: string | undefined
}

const FEED = new RegExp(`^/feed(/(?:${PROFILE_PREFIXES.join('|')})/[^/]+)$`)

/** Returns what a URI or URL names; undefined for what is not a resource of this service, and for documents and files, which no event is about. */
export function watchedResource(uri: string, publicUrl: string): WatchedResource | undefined {
  const address = resourceAddress(uri, publicUrl)
  if (!address) return undefined
  const { path } = address
  const ofFeed = FEED.exec(path)?.[1]
  if (ofFeed !== undefined) return { uri, kind: 'feed', path, profile: ofFeed }
  if (address.kind === 'profile') return { uri, kind: 'profile', path, profile: path }
  if (address.kind === 'contents' || address.kind === 'content')
    return { uri, kind: 'contents', path, profile: address.profile }
  return undefined
}

/**
 * Whether an event of the profile of a resource may have changed the resource. Pages change with their own events, categories with those
 * of the pages below them, both with the gates; profiles show their pages.
 */
export function isChangedBy({ kind, path }: Pick<WatchedResource, 'kind' | 'path'>, change: PublicChange): boolean {
  const [group] = change.type.split('.')
  if (kind === 'feed') return group === 'feed'
  if (kind === 'profile') return group !== 'feed' && group !== 'connection'
  if (group === 'gate') return true
  return group === 'content' && change.path !== undefined && `${change.path}/`.startsWith(`${path}/`)
}
