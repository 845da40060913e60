export { mediaRoutes } from './routes.ts'
export { createMediaService } from './service.ts'
