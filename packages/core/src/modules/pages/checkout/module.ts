import { defineModule } from '../../../framework/module/define-module.ts'
import { paywallRoutes } from '../../access/paywall/index.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../../publishing/content/token.ts'
import { files } from '../../publishing/files/token.ts'
import { createGatedResources } from './gated-resource.ts'

/** The routes of `/eep/payment`: decisions, challenges, proofs and checkouts for a resource that the client names. */
export const checkout = defineModule({
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
