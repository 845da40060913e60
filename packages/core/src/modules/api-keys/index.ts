export { apiKeyRoutes } from './routes.ts'
export type { Scope } from './scopes.ts'
export { createApiKeyService } from './service.ts'
