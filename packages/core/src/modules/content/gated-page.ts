import type { Caller } from '../accounts/index.ts'
import { gatedProfile, type ProfileService } from '../profiles/index.ts'
import { contentPath } from './address.ts'
import { pageNotFound } from './errors.ts'
import { contentResource } from './price.ts'
import type { ContentService } from './service.ts'
import { isSlug } from './slug.ts'

/** How many spellings of a name are tried: a segment that starts with `n` and a digit may have had no `n`. */
const MAX_SPELLINGS = 8

/**
 * The slugs that a gate's name for a page may stand for, the likeliest first.
 *
 * @internal
 */
export function spellingsOf(name: string): readonly (readonly string[])[] {
  const [kind, ...segments] = name.split('.')
  if (kind !== 'content' || segments.length === 0) return []
  let spellings: (readonly string[])[] = [[]]
  for (const segment of segments) {
    const slug = segment.replaceAll('_', '-')
    const options = /^n\d/.test(slug) ? [slug, slug.slice(1)] : [slug]
    spellings = options.flatMap((option) => spellings.map((before) => [...before, option])).slice(0, MAX_SPELLINGS)
  }
  return spellings.filter((slugs) => slugs.every(isSlug))
}

/**
 * Finds a page behind a gate by the DID of its profile and the name its gate has for it, or its path. Also finds the
 * profile itself, or one of its fields.
 *
 * @throws `profile_not_found`, `page_not_found` for what is not there, and for what only the team may see
 */
export const createGatedPages = ({
  content,
  profiles,
}: {
  readonly content: Pick<ContentService, 'find'>
  readonly profiles: Pick<ProfileService, 'byDid' | 'roleOf' | 'getPublic'>
}) =>
  async function gatedPage(did: string, resource: string, caller: Caller | undefined) {
    const profile = await profiles.byDid(did, caller)
    const known = await profiles.getPublic(profile.type, profile.username, caller)
    const itself = gatedProfile(known, resource)
    if (itself) return { ...itself, role: await profiles.roleOf(profile, caller) }
    const root = `${contentPath(profile, [])}/`
    const candidates = resource.startsWith(root) ? [resource.slice(root.length).split('/')] : spellingsOf(resource)
    for (const slugs of candidates.filter((each) => each.every(isSlug))) {
      const found = await content.find(profile, slugs, { limit: 1 }, caller).catch((error: unknown) => {
        if ((error as { code?: unknown }).code === pageNotFound.code) return undefined
        throw error
      })
      if (!found || 'movedTo' in found || !found.page || !found.isPublic) continue
      return {
        profile,
        name: contentResource(slugs),
        path: contentPath(profile, slugs),
        description: found.page.title,
        preview: found.page.excerpt,
        role: await profiles.roleOf(profile, caller),
      }
    }
    throw pageNotFound()
  }
