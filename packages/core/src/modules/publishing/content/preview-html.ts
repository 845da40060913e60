import { html } from '../../../http/html/html.ts'
import { titleHtml } from '../../../http/html/title.ts'
import type { HtmlView, Site } from '../../../http/html/view.ts'
import { contentsMessages } from './messages.ts'
import { imageSizesOf } from './page-html.ts'
import type { PreviewedDraft } from './preview-links.ts'

/** A draft for those who have a link to it. */
export const draftHtml = (
  { profile, text: { title, body, excerpt }, images }: PreviewedDraft,
  site: Site,
): HtmlView => ({
  title,
  description: excerpt,
  hasForm: false,
  head: (id) => html`<div class="notice"><p>${contentsMessages(site)('preview')}</p></div>
${titleHtml(title, id)}
<p class="soft"><bdi>${profile.fullName ?? profile.username}</bdi></p>`,
  markdown: body,
  imageSizes: imageSizesOf(images),
  sections: true,
})
