import { type TextForm, textFormHtml } from '../../../http/html/text-form.ts'
import type { Site } from '../../../http/html/view.ts'
import { feedMessages } from './messages.ts'
import { MAX_BYTES } from './post-text.ts'

/** The path of the form that posts and replies. */
export const POST_FORM = '/feed/posts/form'
/** The path of the form that likes posts. */
export const LIKE_FORM = '/feed/likes/form'

/** A form that posts, and the post that it replies to. */
export interface PostForm extends Pick<TextForm, 'value' | 'formId' | 'problem'> {
  readonly replyTo?: number | undefined
  /** The profile that posts. Default: the person profile of the account. */
  readonly profileId?: number | undefined
  readonly next: string
}

/** Returns the form that posts or replies. */
export function postForm(site: Site, { replyTo, profileId, next, ...form }: PostForm): TextForm {
  const say = feedMessages(site)
  return {
    ...form,
    path: POST_FORM,
    label: say(replyTo === undefined ? 'newPost' : 'yourReply'),
    button: say(replyTo === undefined ? 'post' : 'reply'),
    maxLength: MAX_BYTES,
    hidden: { reply_to: replyTo?.toString(), profile: profileId?.toString(), next },
  }
}

/** Writes the form that posts or replies. */
export const postFormHtml = (site: Site, form: PostForm) => textFormHtml(site, postForm(site, form))
