import type { EepRoutes } from '../../http/routes.ts'
import { arrangementRoutes } from './arrangement.routes.ts'
import { categoryRoutes } from './categories.routes.ts'
import { pageRoutes } from './pages.routes.ts'
import { type PublicContentServices, publicRoutes } from './public.routes.ts'
import { versionRoutes } from './versions.routes.ts'

/** Content: written by the teams of profiles, read by everybody. */
export function contentRoutes(app: EepRoutes, services: PublicContentServices): void {
  categoryRoutes(app, services.content, services.profiles)
  pageRoutes(app, services.content, services.profiles)
  versionRoutes(app, services.content, services.profiles)
  arrangementRoutes(app, services.content)
  publicRoutes(app, services)
}
