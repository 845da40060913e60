export { mediaRoutes } from './routes.ts'
export { createMediaService, type MediaService } from './service.ts'
