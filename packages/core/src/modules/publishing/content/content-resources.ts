import type { ResourceRequest, ResourceSource } from '../../../framework/module/resource-source.ts'
import { normalizeResource, resourceName, slugsOfResource } from '../../../model/resource-name.ts'
import { contentPath, isSlug } from './address.ts'
import { pageNotFound } from './errors.ts'
import type { ContentService } from './service.ts'

const PREFIX = 'content'

/** The slugs in a name of content. */
const slugsOf = (name: string): readonly string[] => (name.startsWith(`${PREFIX}.`) ? slugsOfResource(name) : [])

/**
 * The pages of profiles, and their categories as wildcards. Names and paths that no other module knows are pages that do not exist.
 *
 * @throws `page_not_found` for content that does not exist or that only the team may see
 */
export function contentResources(content: Pick<ContentService, 'find'>): readonly ResourceSource[] {
  async function describe(name: string, { profile, caller }: ResourceRequest) {
    const slugs = slugsOf(name)
    if (slugs.length === 0 || !slugs.every(isSlug)) throw pageNotFound()
    const found = await content.find(profile, slugs, { limit: 1 }, caller)
    if ('newSlugs' in found || !found.page || !found.isPublic) throw pageNotFound()
    return found.gated
  }

  async function describeAll(wildcard: string, { profile, caller }: ResourceRequest) {
    const name = normalizeResource(wildcard)
    const slugs = name === '*' ? [] : slugsOf(name.slice(0, -2))
    if (!slugs.every(isSlug) || (name !== '*' && !name.startsWith(`${PREFIX}.`))) throw pageNotFound()
    const found = await content.find(profile, slugs, { limit: 1 }, caller)
    if ('newSlugs' in found || found.page) throw pageNotFound()
    const description = `Everything that ${name} covers`
    return { name, path: contentPath(profile, slugs), description, preview: null }
  }

  return [
    {
      prefix: PREFIX,
      nameOf(path, profile) {
        const root = `${contentPath(profile, [])}/`
        const slugs = path.startsWith(root) ? path.slice(root.length).split('/') : []
        return slugs.length > 0 && slugs.every(isSlug) ? resourceName(PREFIX, slugs) : undefined
      },
      describe,
      describeAll,
    },
    { prefix: '', describe, describeAll },
  ]
}
