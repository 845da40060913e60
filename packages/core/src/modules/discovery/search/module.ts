import { defineModule, type Worker } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { readinessChecks } from '../../../framework/module/readiness-checks.ts'
import { pick } from '../../../kernel/pick.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../../publishing/content/token.ts'
import type { SearchApi } from './api.ts'
import { askRoutes } from './ask.routes.ts'
import { createEmbedding } from './embedding.ts'
import { searchEvents } from './events.ts'
import { createIndexer } from './indexer.ts'
import { searchOptions } from './options.ts'
import { createQueryMeaning } from './query-meaning.ts'
import { createReadableKeys } from './readable-keys.ts'
import { searchRoutes } from './routes.ts'
import { createSearchPartitions } from './search-partitions.ts'
import { createSearchService } from './service.ts'
import { createVisibleHits } from './visible-hits.ts'

/** Search in profiles, pages, posts and files, if the host provides an index. */
export const search = feature('search', searchOptions, (options) =>
  defineModule({
    name: 'search',
    events: searchEvents,
    requires: [profiles, paywall, content],
    stores: ['searchSources', 'followers'],
    rateGroupCaps: options.index?.requestsPerMinute === undefined ? {} : { search: options.index.requestsPerMinute },
    create({ read, write, settings, report }, { profiles, paywall }) {
      const { index, embedder } = options
      if (embedder && !index?.vectors) throw new Error('search.embedder needs a search.index that stores vectors')
      const vectors = index?.vectors
      const embedding = embedder && vectors && createEmbedding({ embedder, vectors, onError: report })
      const visible = createVisibleHits({
        read,
        hooks: settings.hooks,
        verifiedOnly: settings.email.mailer !== undefined,
      })
      const hasRestrictions = settings.hooks.legalRestriction !== undefined
      const readableKeys = createReadableKeys({ read, profiles, paywall })
      const meaning = createQueryMeaning(embedder && embedding && { embedder, embedding })
      return {
        search:
          index &&
          createSearchService({ read, write, index, meaning, profiles, visible, readableKeys, hasRestrictions }),
        searchEmbedding: embedding,
        searchPartitions: index && createSearchPartitions({ read, index, meaning }),
      }
    },
    public: {
      search: ({ search }): SearchApi => {
        const missing = () => {
          throw new Error('The module search needs a search index; set the option search.index')
        }
        return search
          ? pick(search, 'search', 'suggest', 'reindex', 'stats')
          : { search: missing, suggest: missing, reindex: missing, stats: missing }
      },
    },
    routes(app, { search, profiles }, { name, settings, logger }) {
      searchRoutes(app, { search, profiles }, name)
      if (settings.discovery.ask) askRoutes(app, { search, profiles }, logger)
    },
    workers({ searchEmbedding: embedding }, { read, consumers, report, searchSources: sources }) {
      const { index, embedder } = options
      if (!index) return []
      const indexer = createIndexer({ read, index, sources, embedderId: embedder?.id, embedding, onError: report })
      let unfollow: (() => Promise<void>) | undefined
      const indexing: Worker = {
        start() {
          unfollow = consumers.durable('search.index', indexer.handler)
          embedding?.start()
        },
        async stop() {
          // Another process may take over as soon as this one has stopped to follow.
          await Promise.all([embedding?.stop(), indexer.stop()])
          await unfollow?.()
        },
      }
      return [indexing]
    },
    readiness: () => [...readinessChecks('search', options.index), ...readinessChecks('embedder', options.embedder)],
    close: async () => options.index?.close?.(),
    eraseAccount: (_services, { read }) => ({
      // The index may be outside of the storage, so the deletion of rows does not remove documents of the account, nor those of
      // modules that are off. The event of each purged profile removes what the indexer puts after this.
      before: async ({ id }) => {
        for (let cursor: string | undefined; options.index; ) {
          const page = await read.profiles.listOfAccount(id, { limit: 100, cursor })
          await options.index.remove({ profileIds: page.items.map((profile) => profile.id), allPartitions: true })
          cursor = page.nextCursor
          if (cursor === undefined) return
        }
      },
    }),
  }),
)
