import type { CoreContext } from '../../../framework/module/context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { capabilityQueryRoutes } from './capability-query.routes.ts'
import { type CardServices, cardRoutes } from './card.routes.ts'
import { type PublicReadServices, publicRoutes } from './public.routes.ts'
import { recordRoutes } from './record.routes.ts'
import { traitRoutes } from './traits.routes.ts'

/** Reading profiles through their gates: the canonical URLs, the JSON record and the traits. */
export function profilePageRoutes(
  app: EepRoutes,
  services: PublicReadServices & Pick<CardServices, 'files'>,
  { profileParts, settings }: Pick<CoreContext, 'profileParts' | 'settings'>,
): void {
  recordRoutes(app, services, profileParts)
  publicRoutes(app, services, profileParts)
  traitRoutes(app, services)
  capabilityQueryRoutes(app, services)
  cardRoutes(app, { ...services, cards: settings.pages.shareCards })
}
