export { apiKeyRoutes } from './routes.ts'
export { createApiKeyService } from './service.ts'
