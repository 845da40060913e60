import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { frontMatter, inline } from '../../../kernel/markdown.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import { accessTo } from '../../../model/page-access.ts'
import { shownAccent } from '../../../model/shown-accent.ts'
import type { Category, ContentPage } from '../../../ports/storage/content.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { withoutFields } from '../../profiles/profiles/index.ts'
import { addressOf } from './address.ts'
import { slugsOf } from './category-tree.ts'
import { coverUrl, fileUrlsOf, previewImage } from './cover.ts'
import { crumbsOf, type DocumentSource, frameOf, publisherOf } from './document-frame.ts'
import { withFileKeys } from './file-links.ts'
import { pageHtml } from './page-html.ts'

export interface PageView {
  readonly profile: Profile
  readonly page: ContentPage
  /** The path of categories to the page. */
  readonly categories: readonly Category[]
  readonly isPublic: boolean
  readonly gates: GateConfig | undefined
  /** The images in its body that are files of the profile. */
  readonly images: readonly StoredFile[]
  readonly profiles: DocumentSource
}

/** The address of the reactions to a page of an unlisted profile. */
const reactionsUrl = ({ publicUrl }: DocumentSource, { id }: ContentPage, key: string) =>
  `${publicUrl}/content/pages/${id}/reactions?key=${key}`

/** A page as readers get it: its unchanged body below a generated title. Links to files of an unlisted profile get keys. */
export function pageDocument({
  profile,
  page: stored,
  categories,
  isPublic,
  gates,
  images,
  profiles,
}: PageView): PublicDocument {
  const isUnlisted = profile.visibility === 'unlisted'
  const page = isUnlisted ? { ...stored, body: withFileKeys(stored.body, profile.id, profiles) } : stored
  const linkKey = isUnlisted ? profiles.linkKeys.keyOf('page', page.profileId, page.id) : undefined
  const slugs = [...slugsOf(categories), page.slug]
  const fileUrl = fileUrlsOf(profile, profiles)
  const { path, url } = addressOf(profiles, profile, slugs)
  const updatedAt = page.updatedAt.toISOString()
  const isGated = accessTo(slugs, gates).gated
  const subject = { kind: 'page', id: page.id, linkKey } as const
  return {
    data: {
      id: page.id,
      title: page.title,
      slug: page.slug,
      path,
      url,
      category_path: slugsOf(categories),
      excerpt: page.excerpt,
      cover_url: coverUrl(page, fileUrl),
      body: page.body,
      status: page.status,
      version: page.version,
      created_at: page.createdAt.toISOString(),
      updated_at: updatedAt,
      published_at: page.publishedAt?.toISOString() ?? null,
      profile: publisherOf(profiles, profile),
      ...(linkKey === undefined ? {} : { reactions_url: reactionsUrl(profiles, page, linkKey) }),
    },
    markdown() {
      const did = profiles.didOf(profile)
      const head = frontMatter({ title: page.title, url, did, updated_at: updatedAt, version: page.version })
      return `${head}\n\n# ${inline(page.title)}\n\n${page.body}`
    },
    html: (site) =>
      pageHtml(
        {
          profile,
          page,
          url,
          path,
          publisherUrl: profiles.urlOf(profile),
          crumbs: crumbsOf(profile, categories),
          images,
          image: previewImage(page, { gates, isOpen: !isGated }, fileUrl),
          accent: shownAccent(profile, gates),
          avatarUrl: withoutFields(profile, gatedFields(gates)).avatarUrl,
          gates,
          isGated,
          subject,
        },
        site,
      ),
    subjects: [subject],
    ...frameOf(profiles, profile, slugs, { forTeam: !isPublic }),
  }
}
