export { postNotFound } from './errors.ts'
export { parsePost } from './post-text.ts'
export { postParams } from './schemas.ts'
export type { FeedService } from './service.ts'
