import type { EepRoutes } from '../../../http/routes.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { arrangementRoutes, orderRoutes } from './arrangement.routes.ts'
import { categoryRoutes } from './categories.routes.ts'
import { draftRoutes } from './drafts.routes.ts'
import { pageRoutes } from './pages.routes.ts'
import { previewLinkRoutes } from './preview-links.routes.ts'
import { previewRoutes } from './previews.routes.ts'
import { type PublicContentServices, publicRoutes } from './public.routes.ts'
import { versionRoutes } from './versions.routes.ts'

/** The routes of content: management for teams, and public reads. */
export function contentRoutes(
  app: EepRoutes,
  services: PublicContentServices,
  { read }: { readonly read: Readers },
): void {
  categoryRoutes(app, services.content, services.profiles)
  pageRoutes(app, services.content, services.profiles)
  if (read.pageVersions) versionRoutes(app, services.content, services.profiles)
  if (read.pageDrafts) {
    draftRoutes(app, services.content, services.profiles)
    previewLinkRoutes(app, services.content, services.profiles)
  }
  previewRoutes(app, services.content)
  if (read.ordering) orderRoutes(app, services.content)
  arrangementRoutes(app)
  publicRoutes(app, services)
}
