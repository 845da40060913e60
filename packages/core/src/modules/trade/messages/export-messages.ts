import { jsonListMember, type ProfileExporter } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'

/** The messages that a profile wrote, by conversation. What others wrote is left out: it is their data. */
export function createMessageExporter(
  read: Readers<'messages'>,
  profiles: Pick<ProfileService, 'didOf'>,
): ProfileExporter {
  return async function* ({ profile: { id: profileId } }) {
    yield jsonListMember('messages.json', async function* () {
      for await (const listed of allPages((request) => read.messages.list(profileId, request))) {
        const { conversation, correspondent } = listed
        const to = correspondent ? profiles.didOf(correspondent) : null
        const entries = allPages((request) => read.messages.listMessages(conversation.id, { ...request, order: 'asc' }))
        for await (const { id, seq, kind, senderProfileId, body, createdAt } of entries) {
          if (kind !== 'message' || senderProfileId !== profileId || body === null) continue
          yield { id, conversation_id: conversation.id, to, seq, body, created_at: createdAt.toISOString() }
        }
      }
    })
  }
}
