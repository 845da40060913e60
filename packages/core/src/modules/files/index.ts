export { fileRoutes } from './routes.ts'
export { createFileService } from './service.ts'
export { createFileSweeper } from './sweeper.ts'
