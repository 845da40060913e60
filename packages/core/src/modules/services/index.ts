export { createReviewService } from './reviews.ts'
export { serviceRoutes } from './routes.ts'
export { createCatalogueService } from './service.ts'
