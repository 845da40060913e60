import { documentOf, inline, link, list, paragraphsWithLinks, section } from '../../../kernel/markdown.ts'
import type { Page } from '../../../kernel/page.ts'
import type { ListedConversation, Message } from '../../../ports/storage/messages.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { serializeConversation, serializeMessage } from './serialize.ts'

type Names = Pick<ProfileService, 'didOf' | 'urlOf'>

const GONE = 'Deleted profile'

function writeMessage(message: Message, profileId: number): string {
  const { state, body, negotiation } = serializeMessage(message, profileId)
  if (negotiation) {
    return `Negotiation ${inline(negotiation.negotiation_id)}: ${inline(negotiation.action)}, now ${inline(negotiation.state)}`
  }
  return state === 'sent' ? paragraphsWithLinks(body ?? '') : 'Message deleted.'
}

const participantName = (listed: ListedConversation, names: Names): string => {
  const { participant } = serializeConversation(listed, names)
  return participant ? (participant.full_name ?? participant.username) : GONE
}

const moreOf = ({ nextCursor }: Page<unknown>): string =>
  nextCursor === undefined ? '' : `More: \`cursor=${nextCursor}\``

/** Renders the conversations of a profile as Markdown. Texts of users are escaped. */
export function conversationsMarkdown(profile: Profile, page: Page<ListedConversation>, names: Names): string {
  const sections = page.items.flatMap((listed) => {
    const { participant, is_blocked, unread_count, updated_at } = serializeConversation(listed, names)
    const facts = [
      `Id: ${listed.conversation.id}`,
      ...(participant ? [`Profile: ${link(participant.username, participant.url)}`] : []),
      `Unread: ${unread_count}`,
      `Updated: ${updated_at}`,
      ...(is_blocked ? ['Blocked'] : []),
    ]
    const last = listed.lastMessage ? writeMessage(listed.lastMessage, profile.id) : ''
    return section(inline(participantName(listed, names)), [list(facts), last].filter(Boolean).join('\n\n'))
  })
  const title = `# Conversations of ${inline(profile.fullName ?? profile.username)}`
  return documentOf(title, sections.join('\n\n') || 'No conversations yet.', moreOf(page))
}

/** Renders the messages of a conversation as Markdown, in the order of the page. */
export function messagesMarkdown(listed: ListedConversation, page: Page<Message>, names: Names): string {
  const { profileId } = listed.conversation
  const other = participantName(listed, names)
  const senderOf = ({ senderProfileId }: Message) =>
    senderProfileId === null ? 'Service' : senderProfileId === profileId ? 'You' : other
  const sections = page.items.flatMap((message) =>
    section(
      `${message.seq}. ${inline(senderOf(message))}, ${message.createdAt.toISOString()}`,
      writeMessage(message, profileId),
    ),
  )
  return documentOf(`# Conversation with ${inline(other)}`, sections.join('\n\n') || 'No messages yet.', moreOf(page))
}
