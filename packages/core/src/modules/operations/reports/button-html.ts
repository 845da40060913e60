import { buttonLink, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { listProfilesOfAccount } from '../../profiles/profiles/index.ts'
import { reportMessages } from './messages.ts'

/** The path of the page that reports posts and conversations. */
export const NEW_REPORT = '/reports/new'

const MAX_PROFILES = 1_000

const linkOf = (read: Readers): PageAction<'post', boolean> => ({
  key: 'post-report',
  on: 'post',
  async load(subjects, { account }) {
    const { items } = await listProfilesOfAccount(read, account.id, { limit: MAX_PROFILES })
    const own = new Set(items.map(({ profile }) => profile.id))
    return new Map(subjects.map(({ id, authorId }) => [id, own.has(authorId)]))
  },
  html: ({ subject: { id }, site, state: isOwn = false, next }) =>
    !isOwn &&
    buttonLink(site, {
      action: 'post-report',
      id,
      href: `${NEW_REPORT}?${new URLSearchParams({ post: String(id), next })}`,
      label: reportMessages(site)('report'),
      isQuiet: true,
    }),
  said: (_outcome, site) => reportMessages(site)('sent'),
})

/** The link on posts that reports them. The team of the author has none. */
export const reportButton = (read: Readers): PageAction => listedAction(linkOf(read))
