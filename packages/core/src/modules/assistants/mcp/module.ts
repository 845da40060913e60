import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { McpToolkit } from '../../../ports/mcp-toolkit.ts'
import { createPriceCheck } from '../../access/gates/index.ts'
import { paywall } from '../../access/paywall/token.ts'
import { signals } from '../../events/signals/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { files } from '../../publishing/files/token.ts'
import { oauthServer } from '../oauth-server/token.ts'
import { ACCOUNT_SCOPES } from './account-scopes.ts'
import { cardRoutes } from './card.routes.ts'
import { catalogueOf } from './catalogue.ts'
import { instructionsFor } from './instructions.ts'
import { createListening } from './listening/listen.routes.ts'
import { toolCalls } from './metrics.ts'
import { mcpOptions } from './options.ts'
import { addPricedTool, isPriced } from './pricing/priced-tools.routes.ts'
import { createProfileIds } from './profile-id.ts'
import { createOwnProfiles } from './resources/own-pages.ts'
import { mcpRoutes, misplacedMcpRoute } from './routes.ts'
import { serverCard } from './server-card.ts'

const PER_MINUTE = 100

/** The server for assistants (Model Context Protocol). */
export const mcp = feature('mcp', mcpOptions, (options, { toolkit }: { readonly toolkit: McpToolkit }) =>
  defineModule({
    name: 'mcp',
    limits: { mcp: PER_MINUTE },
    metrics: [toolCalls],
    requires: [profiles, paywall],
    uses: [oauthServer, signals, files],
    create(_context, { oauthServer }) {
      oauthServer?.announceMcp({ path: options.path, accountScopes: ACCOUNT_SCOPES })
      return {}
    },
    routes(
      app,
      { signals, files, profiles, paywall },
      { publicUrl, settings, registered, mcpParts, read, report, metrics },
    ) {
      const { path, without, pageSize, cacheSeconds, payments, maxBodyBytes } = options
      const name = options.name ?? settings.name
      const profileIdOf = createProfileIds((profile) => read.profiles.get(profile))
      const catalogue = lazy(() =>
        catalogueOf(registered(), { without, parts: mcpParts, publicUrl, path, profileIdOf }),
      )
      const info = { name, title: name, version: '1.0.0', websiteUrl: publicUrl }
      const { revisions } = toolkit
      const card = serverCard({ info, description: settings.description, publicUrl, path, revisions })
      cardRoutes(app, { path, url: publicUrl + path, card })

      const ownPrefix = new URL(publicUrl).pathname.replace(/\/$/, '')
      if (app.prefix !== '' && app.prefix !== ownPrefix) {
        misplacedMcpRoute(app, path, publicUrl)
        return
      }
      const count = metrics.counter(toolCalls)
      const ownProfiles = createOwnProfiles(read.profiles)
      const listening =
        signals &&
        createListening({
          toolkit,
          signals,
          publicUrl,
          maxBodyBytes,
          profileIdOf,
          ownProfiles,
        })
      for (const part of mcpParts.flatMap(({ tools = [] }) => tools).filter(isPriced))
        addPricedTool(app, part, {
          path,
          publicUrl,
          paywall,
          profiles,
          unpayable: createPriceCheck(settings.payments.rails).unpayable,
          hasRails: settings.payments.rails.length > 0,
          storesRequests: read.paidRequests !== undefined,
        })
      mcpRoutes(app, {
        path,
        maxBodyBytes,
        toolkit,
        listening,
        catalogue,
        settings: {
          info,
          get instructions() {
            return options.instructions ?? instructionsFor(name, publicUrl, catalogue().byName)
          },
          publicUrl,
          pageSize,
          cacheSeconds,
          ownProfiles,
          fileSize: async (id) => (await files?.findStored(id))?.file.size,
          listens: listening !== undefined,
          acceptsPayments: payments && settings.payments.rails.length > 0,
          onCall: (tool, outcome) => count({ tool, outcome }),
          onError: report,
        },
      })
      app.scope((_routes, instance) => {
        // Tools that contradict each other stop the start.
        instance.addHook('onReady', async () => void catalogue())
      })
    },
  }),
)
