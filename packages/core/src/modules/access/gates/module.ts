import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { provableAudiences, unprovenSearchEngines } from '../../../model/audience-proof.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { GatesApi } from './api.ts'
import { gateEvents } from './events.ts'
import { createGateExporter, createGateImporter } from './gate-archive.ts'
import { createPriceCheck } from './payable-prices.ts'
import { priceRoutes } from './prices.routes.ts'
import { gateRoutes, gateVersionRoutes } from './routes.ts'
import { createGateService } from './service.ts'

/** Gate configurations of profiles, and their versions. */
export const gates = defineModule({
  name: 'gates',
  events: gateEvents,
  requires: [profiles],
  optionalStores: ['gateVersions'],
  scopes: ['read:gates', 'write:gates'],
  create({ read, write, clock, cache, settings, readerProofs }, { profiles, quota }) {
    const prices = createPriceCheck(settings.payments.rails)
    const gates = createGateService({
      read,
      write,
      clock,
      cache,
      profiles,
      maxVersions: settings.gates.maxVersions,
      quota,
      opensByAddress: settings.payments.payerProof !== 'signed',
      prices,
      isProvable: provableAudiences(readerProofs, settings.audiences.classify !== undefined),
      unprovenEngines: unprovenSearchEngines(readerProofs),
    })
    return { gates, prices }
  },
  public: {
    gates: ({ gates }): GatesApi =>
      pick(gates, 'getConfig', 'putConfig', 'getPrice', 'setPrice', 'deletePrice', 'listVersions', 'getVersion'),
  },
  exportProfile: (_services, { read }) => createGateExporter(read),
  importProfile: ({ profiles, prices }) => createGateImporter({ profiles, prices }),
  routes(app, services, { read }) {
    gateRoutes(app, services)
    priceRoutes(app, services)
    if (read.gateVersions) gateVersionRoutes(app, services)
  },
})
