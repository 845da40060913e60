import { buttonLink, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { May } from '../../../model/permission.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { ContentService } from '../../publishing/content/index.ts'
import { editorPath } from './content/content-html.ts'
import { editorMessages } from './messages.ts'

/** The services of the links from public pages to their editors. */
export interface EditLinkServices {
  readonly profiles: Pick<ProfileService, 'roleOf'>
  readonly content: Pick<ContentService, 'pages'>
  readonly may: May
}

/** The links from the page of a profile, and from a page of its content, to the screens that edit them: for their team only. */
export function editLinks({ profiles, content, may }: EditLinkServices): readonly PageAction[] {
  const mayEdit = async (profile: Profile, caller: Caller, action: 'profile.edit' | 'content.edit') =>
    may(await profiles.roleOf(profile, caller), action)

  /** The path of the editor of a page; undefined for those who may not edit it. */
  async function pathFor(id: number, caller: Caller): Promise<string | undefined> {
    try {
      const { profile } = await content.pages.get(id, caller)
      return (await mayEdit(profile, caller, 'content.edit')) ? editorPath(profile.id, id) : undefined
    } catch (error) {
      if (isEepError(error) && error.status < 500) return undefined
      throw error
    }
  }

  const ofProfile: PageAction<'profile', string> = {
    key: 'edit-profile',
    on: 'profile',
    async load(subjects, caller) {
      const paths = await Promise.all(
        subjects.map(async ({ id, profile }) =>
          (await mayEdit(profile, caller, 'profile.edit')) ? [[id, `/manage/profiles/${id}/edit`] as const] : [],
        ),
      )
      return new Map(paths.flat())
    },
    html: ({ subject: { id }, site, state }) =>
      state !== undefined &&
      buttonLink(site, { action: 'edit-profile', id, href: state, label: editorMessages(site)('editHere') }),
  }

  const ofPage: PageAction<'page', string> = {
    key: 'edit-page',
    on: 'page',
    async load(subjects, caller) {
      const paths = await Promise.all(
        subjects.map(async ({ id }) => {
          const path = await pathFor(id, caller)
          return path === undefined ? [] : [[id, path] as const]
        }),
      )
      return new Map(paths.flat())
    },
    html: ({ subject: { id }, site, state }) =>
      state !== undefined &&
      buttonLink(site, { action: 'edit-page', id, href: state, label: editorMessages(site)('editHere') }),
  }

  return [listedAction(ofProfile), listedAction(ofPage)]
}
