import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { paywall } from '../../access/paywall/token.ts'
import { checkoutRoutes } from './checkout.routes.ts'
import { sandboxOptions } from './options.ts'
import { tokenRoutes } from './tokens.routes.ts'

/** Play money: pages on which people pay with test cards, and what owners need to try out everything that sells. */
export const sandbox = feature('sandbox', sandboxOptions, (_options) =>
  defineModule({
    name: 'sandbox',
    requires: [paywall],
    stores: ['sandbox'],
    routes(app) {
      checkoutRoutes(app)
      tokenRoutes(app)
    },
  }),
)
