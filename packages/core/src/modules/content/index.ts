export { contentRoutes } from './routes.ts'
export { createContentService } from './service.ts'
export type { Category, PageOutline } from './store.ts'
