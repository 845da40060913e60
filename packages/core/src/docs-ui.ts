/** The page of the API reference, for hosts that have `@fastify/swagger-ui` installed. */

export { swaggerUi } from './defaults/swagger-ui.ts'
