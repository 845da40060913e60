import type { Json } from '../../kernel/json.ts'
import type { Caller } from '../../model/caller.ts'
import type { Profile } from '../../ports/storage/profiles.ts'

/** The caller that requests a resource, and the profile that has it. */
export interface ResourceRequest {
  readonly profile: Profile
  readonly caller: Caller | undefined
  /** The key in the address of a resource of an unlisted profile. */
  readonly linkKey: string | undefined
}

/** A resource behind a gate, as offers, checkouts and receipts name it. */
export interface DescribedResource {
  /** Its name in gates. */
  readonly name: string
  /** Its path, to which buyers return. */
  readonly path: string
  /** Its URL, if it is outside of the service. Default: the public URL of the service and its path. */
  readonly url?: string | undefined
  /** The key in its path, without which it is not found. Default: it needs none. */
  readonly linkKey?: string | undefined
  /** Its title. */
  readonly description: string
  /** The titles of the sections that contain it, by their names in gates. */
  readonly sections?: ReadonlyMap<string, string> | undefined
  /** Its public part, which is never sold. */
  readonly preview: Json
  /** Its media type, if it has one only. Default: that of the requested representation. */
  readonly mimeType?: string | undefined
}

/**
 * The resources of a module that gates can name. Offers, checkouts, payments and their receipts describe what they sell by it. A
 * resource is found before the gate decides, so that one that does not exist is never sold.
 */
export interface ResourceSource {
  /**
   * The beginning of their names: `files` for `files.f8`. The longest one that fits is asked, and the empty one when no other one
   * knows a name.
   */
  readonly prefix: string
  /** Returns the name of the resource at a path of the service; undefined for the paths of other modules. */
  nameOf?(path: string, profile: Profile): string | undefined
  /**
   * Describes a resource; undefined when it has no such name.
   *
   * @throws an error of the module when the resource does not exist, or only the team may see it
   */
  describe(name: string, request: ResourceRequest): Promise<DescribedResource | undefined>
  /** Describes everything that a wildcard covers, as `describe`. Default: wildcards are not sold. */
  describeAll?(wildcard: string, request: ResourceRequest): Promise<DescribedResource | undefined>
}
