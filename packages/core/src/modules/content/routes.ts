import type { EepRoutes } from '../../http/routes.ts'
import { categoryRoutes } from './categories.routes.ts'
import { pageRoutes } from './pages.routes.ts'
import { type PublicContentServices, publicRoutes } from './public.routes.ts'

/** Content: written by the teams of profiles, read by everybody. */
export function contentRoutes(app: EepRoutes, services: PublicContentServices): void {
  categoryRoutes(app, services.content, services.profiles)
  pageRoutes(app, services.content, services.profiles)
  publicRoutes(app, services)
}
