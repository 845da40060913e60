import type {
  DescribedResource,
  ResourceRequest,
  ResourceSource,
} from '../../../../framework/module/resource-source.ts'
import type { Caller } from '../../../../model/caller.ts'
import { isWildcard, normalizeResource } from '../../../../model/resource-name.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import { notSoldThere } from '../errors.ts'
import type { GatedResource } from './resource.ts'

export interface ResourceTableDeps {
  /** The resources of all modules. */
  readonly sources: readonly ResourceSource[]
  readonly profiles: Pick<ProfileService, 'byDid' | 'roleOf'>
}

const fits = (prefix: string, name: string): boolean => name === prefix || name.startsWith(`${prefix}.`)

/** Creates the table of what gates can name: finds a resource by the DID of its profile and its name or path. */
export function createResourceTable({ sources, profiles }: ResourceTableDeps) {
  const byLength = sources.toSorted((left, right) => right.prefix.length - left.prefix.length)
  const others = sources.filter(({ prefix }) => prefix === '')

  /** The sources to ask for a name: the one with the longest prefix, then the one for all other names. */
  function sourcesOf(name: string): readonly ResourceSource[] {
    const own = byLength.find(({ prefix }) => prefix !== '' && fits(prefix, name))
    return own ? [own, ...others] : others
  }

  function nameOf(resource: string, request: ResourceRequest): string {
    if (!resource.startsWith('/')) return normalizeResource(resource)
    for (const source of sources) {
      const name = source.nameOf?.(resource, request.profile)
      if (name !== undefined) return name
    }
    return resource
  }

  async function describe(resource: string, request: ResourceRequest, wildcards: boolean): Promise<DescribedResource> {
    const name = nameOf(resource, request)
    for (const source of sourcesOf(name)) {
      const described =
        wildcards && isWildcard(name) ? await source.describeAll?.(name, request) : await source.describe(name, request)
      if (described) return described
    }
    throw notSoldThere()
  }

  return {
    /**
     * Finds what a gate covers: a page, a file, a field of a profile or a resource of a host.
     *
     * @param options - `wildcards`: whether the resource may be a wildcard, for everything below it. Default: false
     * @throws `profile_not_found`, and what the module of the resource throws for what does not exist or only the team may see
     */
    async find(
      did: string,
      resource: string,
      caller: Caller | undefined,
      {
        linkKey,
        wildcards = false,
      }: { readonly linkKey?: string | undefined; readonly wildcards?: boolean | undefined } = {},
    ): Promise<GatedResource> {
      const profile = await profiles.byDid(did, caller)
      const described = await describe(resource, { profile, caller, linkKey }, wildcards)
      return { ...described, profile, role: await profiles.roleOf(profile, caller) }
    },
  }
}

/** The table of what gates can name. */
export type ResourceTable = ReturnType<typeof createResourceTable>
