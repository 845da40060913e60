export { reactionRoutes } from './routes.ts'
export { createReactionService } from './service.ts'
