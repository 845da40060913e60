import { buttonLink, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import { PREFIX_BY_TYPE, type ProfileType } from '../../../model/profile-type.ts'
import { messagePageMessages } from './messages.ts'
import type { MessageService } from './service.ts'

/** The path of the page on which people write to a profile. */
export const NEW_MESSAGE = '/messages/new'

/** Profiles of what someone sells or lends: visitors ask the seller about them. */
const ITEMS: ReadonlySet<ProfileType> = new Set(['product', 'asset'])

const buttonOf = ({ mayWriteTo }: Pick<MessageService, 'mayWriteTo'>): PageAction<'profile', boolean> => ({
  key: 'message',
  on: 'profile',
  async load(subjects, caller) {
    const states = subjects.map(async ({ id }) => [id, await mayWriteTo({ id }, { caller })] as const)
    return new Map(await Promise.all(states))
  },
  html({ subject: { id, profile }, site, state }) {
    const { type, username, fullName, capabilities } = profile
    if (!(state ?? capabilities.includes('contactable'))) return undefined
    const isItem = ITEMS.has(type)
    const to = `${PREFIX_BY_TYPE[type]}/${username}`
    const query = new URLSearchParams({ to, ...(isItem && { about: fullName ?? username }) })
    const label = messagePageMessages(site)(isItem ? 'askSeller' : 'message')
    return buttonLink(site, { action: 'message', id, href: `${NEW_MESSAGE}?${query}`, label })
  },
  said: (_outcome, site) => messagePageMessages(site)('sent'),
})

/** The button on profiles that receive messages. */
export const messageButton = (messages: Pick<MessageService, 'mayWriteTo'>): PageAction =>
  listedAction(buttonOf(messages))
