import type { Caller } from '../../../model/caller.ts'
import { described, type GatedResource, type Paywall } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { FileService } from '../../publishing/files/index.ts'
import { fileNotFound, gatedFile } from '../../publishing/files/index.ts'

interface GatedResourceDeps {
  readonly paywall: Pick<Paywall, 'openTo'>
  readonly profiles: Pick<ProfileService, 'byDid' | 'roleOf'>
  /** Undefined when the service has no files. */
  readonly files?: Pick<FileService, 'find'> | undefined
  /** Finds a page, a profile or a field of it. */
  readonly gatedPage: (did: string, resource: string, caller: Caller | undefined) => Promise<GatedResource>
}

const FILE = /^(?:files\.f|\/files\/)(\d{1,15})$/

/**
 * Finds what a gate covers by the DID of its profile and the name its gate has for it, or its path: a page, the profile, a field of
 * it, or a file.
 *
 * @throws `profile_not_found`, `page_not_found`, `file_not_found` for what does not exist or only the team may see
 */
export const createGatedResources = ({ paywall, profiles, files, gatedPage }: GatedResourceDeps) =>
  async function gatedResource(
    did: string,
    resource: string,
    caller: Caller | undefined,
    linkKey?: string | undefined,
  ): Promise<GatedResource> {
    const id = FILE.exec(resource)?.[1]
    if (id === undefined || !files) return gatedPage(did, resource, caller)
    const profile = await profiles.byDid(did, caller)
    const file = await files.find(Number(id), caller, linkKey)
    if (file.profile.id !== profile.id) throw fileNotFound()
    return described(gatedFile(file, await profiles.roleOf(profile, caller), paywall))
  }
