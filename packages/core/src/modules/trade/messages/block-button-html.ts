import type { Html } from '../../../http/html/html.ts'
import { buttonForm, listedAction, type PageAction } from '../../../http/html/page-actions.ts'
import type { Site } from '../../../http/html/view.ts'
import type { Conversation } from '../../../ports/storage/messages.ts'
import { messagePageMessages } from './messages.ts'
import type { MessageService } from './service.ts'

/** The path of the form that blocks and unblocks the other profile of a conversation. */
export const BLOCK_FORM = '/messages/blocks/form'

/** The name of the buttons that block profiles. */
export const BLOCK = 'block'

/** Writes the button that blocks the other profile of a conversation, or unblocks it. */
export function blockButtonHtml(
  site: Site,
  { id, otherProfileId, own }: Pick<Conversation, 'id' | 'otherProfileId' | 'own'>,
  next: string,
): Html {
  const isBlocked = own.blockedAt !== null
  return buttonForm(site, {
    action: BLOCK,
    id: otherProfileId,
    path: BLOCK_FORM,
    next,
    fields: { conversation: id, on: isBlocked ? '0' : '1' },
    label: messagePageMessages(site)(isBlocked ? 'unblock' : 'block'),
  })
}

const buttonOf = ({ findWith }: Pick<MessageService, 'findWith'>): PageAction<'profile', Conversation> => ({
  key: BLOCK,
  on: 'profile',
  async load(subjects, caller) {
    const found = await Promise.all(subjects.map(({ id }) => findWith({ id }, { caller })))
    return new Map(
      found.flatMap((conversation, index) => {
        const id = subjects[index]?.id
        return conversation === undefined || id === undefined ? [] : [[id, conversation] as const]
      }),
    )
  },
  html: ({ site, state, next }) => state !== undefined && blockButtonHtml(site, state, next),
  said: (outcome, site) => messagePageMessages(site)(outcome === 'off' ? 'unblocked' : 'nowBlocked'),
})

/** The button on profiles that blocks them, for those who have a conversation with them. */
export const blockButton = (messages: Pick<MessageService, 'findWith'>): PageAction => listedAction(buttonOf(messages))
