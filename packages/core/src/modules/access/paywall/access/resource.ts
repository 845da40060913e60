import type { Json } from '../../../../kernel/json.ts'
import type { Role } from '../../../../model/permission.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { EndpointListing, ToolListing } from './endpoint-listing.ts'

/**
 * A resource behind a gate. It is found before the gate decides, so that a resource that does not exist is never sold.
 */
export interface GatedResource {
  readonly profile: Profile
  /** Its name in gate configurations; see `resourceName`. */
  readonly name: string
  /** Its path on the clean listener. */
  readonly path: string
  /** The key in its path, without which it is not found; undefined for resources that need none. */
  readonly linkKey?: string | undefined
  /** Its URL, if a host serves it outside of the service. */
  readonly url?: string | undefined
  readonly description: string
  /** The titles of the sections that contain it, by their names in gate configurations. */
  readonly sections?: ReadonlyMap<string, string> | undefined
  /** Its public part, which is never sold. */
  readonly preview: Json
  /** The URL of a picture that everyone may see; null or missing without one. */
  readonly image?: string | null | undefined
  /** The color of its page, as `#rrggbb`. Default: that of the service. */
  readonly accent?: string | null | undefined
  /** When its text was written, and its size in bytes of UTF-8; only for texts. */
  readonly written?: { readonly at: Date; readonly bytes: number } | undefined
  /** The caller's role at the profile. A team reads its own content. */
  readonly role: Role | undefined
  /** Its media type, if it has one only. Default: that of the requested representation. */
  readonly mimeType?: string | undefined
  /** The gate to use instead of the one that the profile configured. */
  readonly gate?: Gate | undefined
  /** How catalogues list it, if it is an endpoint of the host or a tool. Default: such a resource is not listed. */
  readonly endpoint?: EndpointListing | ToolListing | undefined
}

/** A resource whose description is computed only when access is refused: open resources need none. */
interface UndescribedResource extends Omit<GatedResource, 'description'> {
  readonly description: () => Promise<string>
}

/** Returns the URL of a resource. Default: `publicUrl` followed by its path. */
export const urlOf = ({ url, path }: Pick<GatedResource, 'url' | 'path'>, publicUrl: string): string =>
  url ?? `${publicUrl}${path}`

/** A resource that a request asks for. */
export type AskedResource = GatedResource | UndescribedResource

export const isDescribed = (resource: AskedResource): resource is GatedResource =>
  typeof resource.description === 'string'

/** Computes the description of a resource. */
export const described = async (resource: AskedResource): Promise<GatedResource> =>
  isDescribed(resource) ? resource : { ...resource, description: await resource.description() }
