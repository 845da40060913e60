import { defineCoreModule } from '../../module/define-module.ts'
import { content } from '../content/module.ts'
import { paywallRoutes } from '../paywall/index.ts'
import { paywall } from '../paywall/module.ts'

/** The routes of `/eep/payment`: decisions, challenges, proofs and checkouts for a resource that the client names. */
export const checkout = defineCoreModule({
  name: 'checkout',
  requires: [paywall, content],
  routes(app, services, { publicUrl, serviceDid, keyring, clock, trustedOrigins, settings }) {
    const returnOrigins = [...trustedOrigins, new URL(settings.frontendUrl).origin]
    paywallRoutes(app, services, { publicUrl, serviceDid, keyring, clock, trustedOrigins, returnOrigins })
  },
})
