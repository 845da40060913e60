import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import { dataScript, type Html } from '../../../../http/html/html.ts'
import { pageScript } from '../../../../http/html/script.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { uploadProblems } from '../../../publishing/files/index.ts'
import { writingMessages } from '../messages.ts'
import type { EditedPage } from './edited-page.ts'

/** The script of the editor. Its page loads it beside the script of pages. */
export const EDITOR_SCRIPT = pageScript('editor', '/assets/editor.js')

/** Writes what the script of the editor needs: where it saves, previews and uploads, and its texts. */
export function editorData(
  visit: ProfileVisit,
  { placed: { page } }: Pick<EditedPage, 'placed'>,
  { hasDrafts, hasFiles }: { readonly hasDrafts: boolean; readonly hasFiles: boolean },
): Html {
  const { site, profile, caller, entered } = visit
  const say = writingMessages(site)
  const isDrafted = page.status === 'published' && hasDrafts
  const path = `/manage/pages/${page.id}`
  // A form that was refused is saved by the person, who has seen why. Without drafts each save of a published page is public.
  const isSavedByItself = !entered && (isDrafted || page.status !== 'published')
  const pictures = hasFiles && {
    url: hrefOn(site, '/files'),
    file: hrefOn(site, '/manage/files'),
    fields: { username: profile.username, profile_type: profile.type },
    codes: uploadProblems(site),
    texts: {
      picture: say('picture'),
      alt: say('alt'),
      insert: say('insert'),
      skip: say('skip'),
      uploading: say('uploading'),
      uploaded: say('uploaded'),
      failed: say('uploadFailed'),
      undescribed: say('undescribed'),
    },
  }
  return dataScript('editor', {
    account: caller.account.id,
    save: isSavedByItself ? hrefOn(site, isDrafted ? `${path}/draft` : path) : null,
    more: isDrafted ? {} : { autosave: true },
    preview: hrefOn(site, '/manage/preview'),
    profile: profile.id,
    ...(pictures && { pictures }),
    texts: {
      tools: say('tools'),
      bold: say('bold'),
      italic: say('italic'),
      link: say('link'),
      code: say('code'),
      heading: say('heading'),
      list: say('list'),
      numbered: say('numbered'),
      quote: say('quote'),
      typing: say('typing'),
      saving: say('saving'),
      saved: say('savedNow'),
      untitled: say('untitled'),
      changed: say('changedNow'),
      signedOut: say('signedOut'),
      later: say('laterNow'),
      unsaved: say('unsaved'),
      offline: say('offline'),
      restored: say('restored'),
      zone: say('zone', { zone: '{zone}' }),
    },
  })
}
