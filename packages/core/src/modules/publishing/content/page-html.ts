import { html } from '../../../http/html/html.ts'
import { imageHref } from '../../../http/html/image-href.ts'
import type { ImageSizes } from '../../../http/html/markdown-to-html.ts'
import { type ActionSubject, actionsHtml, hasActions } from '../../../http/html/page-actions.ts'
import { faceHtml } from '../../../http/html/pieces.ts'
import { titleHtml } from '../../../http/html/title.ts'
import { type Crumb, type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { writtenHtml } from '../../../http/html/written.ts'
import { asJson } from '../../../kernel/json.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import type { ContentPage } from '../../../ports/storage/content.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { namedIn } from './document-frame.ts'
import { contentsMessages } from './messages.ts'

export interface PageHtmlInput {
  readonly profile: Profile
  readonly page: ContentPage
  readonly url: string
  readonly path: string
  readonly publisherUrl: string
  readonly crumbs: readonly Crumb[]
  readonly images: readonly StoredFile[]
  readonly subject: ActionSubject
  /** The picture of its previews, which everyone may see. */
  readonly image: string | null
  /** The color of the profile. */
  readonly accent: string | null
  /** The portrait of the profile, if everyone may see it. */
  readonly avatarUrl: string | null
  readonly gates: GateConfig | undefined
  /** Whether readers who prove nothing pay, or are not let in. */
  readonly isGated: boolean
}

/** What search engines need to know of a text that they may show although others pay for it (schema.org, `isAccessibleForFree`). */
const NOT_FREE = {
  isAccessibleForFree: false,
  hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.prose' },
}

function jsonLd({ profile, page, url, publisherUrl, crumbs, image, isGated }: PageHtmlInput, { publicUrl }: Site) {
  const author = { '@type': profile.type === 'person' ? 'Person' : 'Organization', '@id': publisherUrl }
  const places = [
    ...crumbs.map(({ name, href }) => ({ name, item: `${publicUrl}${href}` })),
    { name: page.title, item: url },
  ]
  return asJson({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Article',
        '@id': url,
        url,
        headline: page.title,
        description: page.excerpt ?? undefined,
        image: image ?? undefined,
        datePublished: page.publishedAt?.toISOString(),
        dateModified: page.updatedAt.toISOString(),
        version: page.version,
        ...(isGated ? NOT_FREE : {}),
        author: { ...author, name: profile.fullName ?? profile.username, url: publisherUrl },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: places.map((place, index) => ({ '@type': 'ListItem', position: index + 1, ...place })),
      },
    ],
  })
}

/** The sizes of images that are known, by the ids of their files. */
export const imageSizesOf = (images: readonly StoredFile[]): ImageSizes =>
  Object.fromEntries(
    images.flatMap(({ id, width, height }) => (width && height ? [[id, [width, height] as const]] : [])),
  )

/** The HTML of a page: its body is untrusted Markdown. */
export const pageHtml = (input: PageHtmlInput, site: Site): HtmlView => {
  const { page, profile, publisherUrl, crumbs, images, image, accent, subject, path } = input
  const { title, excerpt, updatedAt, status } = page
  const name = profile.fullName ?? profile.username
  return {
    title,
    description: excerpt,
    kind: 'article',
    image,
    accent,
    crumbs: namedIn(site, crumbs),
    jsonLd: jsonLd(input, site),
    head: (id) => html`${titleHtml(title, id)}
<div class="byline">${faceHtml(name, imageHref(input.avatarUrl, site, { gates: input.gates }), site, true)}<div><a href="${hrefOn(site, publisherUrl)}" rel="author"><bdi>${name}</bdi></a><br>${writtenHtml({ at: updatedAt, bytes: page.bodyBytes }, site)}${status !== 'published' && ` · ${contentsMessages(site)(status)}`}</div></div>`,
    markdown: page.body,
    imageSizes: imageSizesOf(images),
    sections: true,
    hasForm: hasActions(site, 'page'),
    foot: actionsHtml(subject, site, path) || undefined,
  }
}
