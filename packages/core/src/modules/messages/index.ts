export { clientId, id as messageId, messageText, recipient } from './schemas.ts'
export { serializeMessage } from './serialize.ts'
export type { MessageService } from './service.ts'
export { targetOf } from './target.ts'
