export { documentRoutes } from './routes.ts'
export { createDocumentService } from './service.ts'
