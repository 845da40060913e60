export { adminRoutes } from './routes.ts'
export { createAdminService } from './service.ts'
