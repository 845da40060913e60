import { markdownJob } from '../../../http/html/page.ts'
import { createPreviewRenderer } from '../../../http/html/render-markdown.ts'
import type { Site } from '../../../http/html/view.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ContentAccess } from './access.ts'
import { previewBusy } from './errors.ts'
import type { createImagesIn } from './images-in.ts'
import { imageSizesOf } from './page-html.ts'

/** A text that is being written. */
export interface PreviewedText {
  readonly profileId: number
  /** Markdown. */
  readonly body: string
  /** The title of its page. Default: none. */
  readonly title?: string | undefined
}

export interface PreviewDeps {
  readonly access: ContentAccess
  readonly imagesIn: ReturnType<typeof createImagesIn>
}

/** Renders texts that are being written as their pages would show them. */
export function createPreviews({ access, imagesIn }: PreviewDeps) {
  const renderer = createPreviewRenderer()

  return {
    /**
     * Returns the HTML of a text, as it would be on a page of the profile.
     *
     * @throws `preview_busy` while too many others are waiting
     */
    async render({ profileId, body, title }: PreviewedText, caller: Caller, site: Site): Promise<string> {
      await access.profile(profileId, caller, 'content.edit')
      const imageSizes = imageSizesOf(await imagesIn(profileId, body))
      const job = markdownJob({ markdown: body, title, imageSizes }, site)
      const { body: rendered, isFinal } = await renderer.render(job)
      if (!isFinal) throw previewBusy()
      return rendered.markup
    },
  }
}
