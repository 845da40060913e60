import { randomUUID } from 'node:crypto'
import type { NewMessage } from '../../ports/storage/messages.ts'

const moment = new Date('2026-03-04T05:06:07.008Z')

/** A message that a profile writes. */
export const newMessage = (
  conversationId: string,
  senderProfileId: number | null,
  changes: Partial<NewMessage> = {},
): NewMessage => ({
  id: randomUUID(),
  conversationId,
  kind: 'message',
  senderProfileId,
  clientId: null,
  body: 'Hello',
  data: {},
  createdAt: moment,
  ...changes,
})
