import type { OpenApiDocument } from '../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../http/openapi/registered-route.ts'
import type { EepRoutes } from '../../http/routes.ts'
import type { MessageSet } from '../../model/messages.ts'
