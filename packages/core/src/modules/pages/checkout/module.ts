import { defineCoreModule } from '../../../framework/module/define-module.ts'
import { paywallRoutes } from '../../access/paywall/index.ts'
import { paywall } from '../../access/paywall/module.ts'
import { profiles } from '../../profiles/profiles/module.ts'
import { content } from '../../publishing/content/module.ts'
import { files } from '../../publishing/files/module.ts'
import { createGatedResources } from './gated-resource.ts'

/** The routes of `/eep/payment`: decisions, challenges, proofs and checkouts for a resource that the client names. */
export const checkout = defineCoreModule({
  name: 'checkout',
  requires: [profiles, paywall, content],
  uses: [files],
  routes(app, services, { publicUrl, serviceDid, keyring, clock, trustedOrigins, settings }) {
    const returnOrigins = [...trustedOrigins, new URL(settings.frontendUrl).origin]
    const gatedPage = createGatedResources(services)
    paywallRoutes(
      app,
      { ...services, gatedPage },
      { publicUrl, serviceDid, keyring, clock, trustedOrigins, returnOrigins },
    )
  },
})
