import type { ProfileExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { didOf } from '../../profiles/profiles/index.ts'

/** The messages that a profile wrote, by conversation. What others wrote is left out: it is their data. */
export const exportOfProfile: ProfileExportFile<'messages'>['exportOfProfile'] = ({ read, publicUrl }) =>
  async function* ({ profile: { id: profileId } }) {
    yield jsonListMember('messages.json', async function* () {
      for await (const listed of allPages((request) => read.messages.list(profileId, request))) {
        const { conversation, correspondent } = listed
        const to = correspondent ? didOf(publicUrl, correspondent) : null
        const entries = allPages((request) => read.messages.listMessages(conversation.id, { ...request, order: 'asc' }))
        for await (const { id, seq, kind, senderProfileId, body, createdAt } of entries) {
          if (kind !== 'message' || senderProfileId !== profileId || body === null) continue
          yield { id, conversation_id: conversation.id, to, seq, body, created_at: createdAt.toISOString() }
        }
      }
    })
  }
