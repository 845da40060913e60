import { allPages } from '../../../../kernel/all-pages.ts'
import type { Caller } from '../../../../model/caller.ts'
import { fieldResource, PROFILE_FIELDS, type ProfileField } from '../../../../model/profile-fields.ts'
import { resourceName } from '../../../../model/resource-name.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import { type CategoryNode, type ContentService, contentResource } from '../../../publishing/content/index.ts'
import type { FileService } from '../../../publishing/files/index.ts'

/** Something of a profile that a tier can open. */
export interface SoldResource {
  /** The pattern of gates that names it. */
  readonly pattern: string
  /** What people call it: a title, a name of a category or file; for the kind `field` that of a field of profiles. */
  readonly name: string
}

/** What tiers of a profile can open, by kind. */
export interface SoldResources {
  readonly pages: readonly SoldResource[]
  /** Each with everything in it. */
  readonly categories: readonly SoldResource[]
  readonly files: readonly SoldResource[]
  readonly fields: readonly (SoldResource & { readonly name: ProfileField })[]
}

/** The services that know what a profile has. */
export interface SoldServices {
  readonly content: Pick<ContentService, 'pages' | 'categories'>
  /** Undefined where no files can be stored. */
  readonly files: Pick<FileService, 'listForTeam'> | undefined
}

/** How many pages and files are offered. */
const MAX_OFFERED = 500
const AT_ONCE = 100

function* categoriesIn(
  nodes: readonly CategoryNode[],
  above: { readonly slugs: readonly string[]; readonly names: readonly string[] },
): Generator<SoldResource> {
  for (const { category, children } of nodes) {
    const slugs = [...above.slugs, category.slug]
    const names = [...above.names, category.name]
    yield { pattern: `${contentResource(slugs)}.*`, name: names.join(' › ') }
    yield* categoriesIn(children, { slugs, names })
  }
}

/** Collects at most so many items of all pages of a list. */
async function firstOf<Item>(list: Parameters<typeof allPages<Item>>[0]): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of allPages(list)) {
    if (found.length === MAX_OFFERED) break
    found.push(item)
  }
  return found
}

/** Reads what tiers of a profile can open, for its team. */
export async function readSoldResources(
  { content, files }: SoldServices,
  { id: profileId }: Pick<Profile, 'id'>,
  caller: Caller,
): Promise<SoldResources> {
  const [{ roots }, pages, stored] = await Promise.all([
    content.categories.tree(profileId, caller),
    firstOf((request) => content.pages.list({ profileId, ...request }, caller)),
    files
      ? firstOf(async (request) => (await files.listForTeam(profileId, { ...request, limit: AT_ONCE }, caller)).page)
      : [],
  ])
  return {
    pages: pages.map(({ page, slugs }) => ({ pattern: contentResource(slugs), name: page.title })),
    categories: [...categoriesIn(roots, { slugs: [], names: [] })],
    files: stored.map(({ id, filename }) => ({ pattern: resourceName('files', [`f${id}`]), name: filename })),
    fields: PROFILE_FIELDS.map((field) => ({ pattern: fieldResource(field), name: field })),
  }
}
