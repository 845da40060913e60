import type { Caller } from '../../../model/caller.ts'
import { normalizeResource, slugsOfResource } from '../../../model/resource-name.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { gatedProfile } from '../profile-documents/index.ts'
import { contentPath, isSlug } from './address.ts'
import { pageNotFound } from './errors.ts'
import type { ContentService } from './service.ts'

interface GatedSectionDeps {
  readonly content: Pick<ContentService, 'find'>
  readonly profiles: Pick<ProfileService, 'byDid' | 'roleOf'>
}

/** The slugs of the content in a request. */
function slugsOf(resource: string): readonly string[] {
  const name = normalizeResource(resource)
  return name.startsWith('content.') ? slugsOfResource(name) : []
}

/**
 * Finds a page behind a gate by the DID of its profile and the name its gate has for it, or its path. Also finds the
 * profile itself, or one of its fields.
 *
 * @throws `profile_not_found`, `page_not_found` for content that does not exist or that only the team may see
 */
export const createGatedPages = ({
  content,
  profiles,
}: {
  readonly content: Pick<ContentService, 'find'>
  readonly profiles: Pick<ProfileService, 'byDid' | 'roleOf' | 'getDocument'>
}) =>
  async function gatedPage(did: string, resource: string, caller: Caller | undefined) {
    const profile = await profiles.byDid(did, caller)
    const known = await profiles.getDocument(profile.type, profile.username, caller)
    const itself = gatedProfile(known, resource)
    if (itself) return { ...itself, role: await profiles.roleOf(profile, caller) }
    const root = `${contentPath(profile, [])}/`
    const slugs = resource.startsWith(root) ? resource.slice(root.length).split('/') : slugsOf(resource)
    if (slugs.length === 0 || !slugs.every(isSlug)) throw pageNotFound()
    const found = await content.find(profile, slugs, { limit: 1 }, caller)
    if ('newSlugs' in found || !found.page || !found.isPublic) throw pageNotFound()
    return { profile, ...found.gated, role: await profiles.roleOf(profile, caller) }
  }

/**
 * Finds the part of a profile's content that a wildcard stands for, by the DID of the profile: a category, or everything.
 *
 * @throws `profile_not_found`, `page_not_found` for what does not exist or only the team may see
 */
export const createGatedSections = ({ content, profiles }: GatedSectionDeps) =>
  async function gatedSection(did: string, wildcard: string, caller: Caller | undefined) {
    const profile = await profiles.byDid(did, caller)
    const name = normalizeResource(wildcard)
    const slugs = name === '*' ? [] : slugsOf(name.slice(0, -2))
    if (!slugs.every(isSlug) || (name !== '*' && !name.startsWith('content.'))) throw pageNotFound()
    const found = await content.find(profile, slugs, { limit: 1 }, caller)
    if ('newSlugs' in found || found.page) throw pageNotFound()
    return {
      profile,
      name,
      path: contentPath(profile, slugs),
      description: `Everything that ${name} covers`,
      preview: null,
      role: await profiles.roleOf(profile, caller),
    }
  }
