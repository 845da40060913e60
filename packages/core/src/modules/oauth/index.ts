export { oauthRoutes } from './routes.ts'
export { createOAuthService } from './service.ts'
