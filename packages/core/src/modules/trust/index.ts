export { trustRoutes } from './routes.ts'
export { createTrustService, type TrustService, type TrustState } from './service.ts'
