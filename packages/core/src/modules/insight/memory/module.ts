import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { search } from '../../discovery/search/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { createSessionAccess } from './access.ts'
import { memoryEvents } from './events.ts'
import { createMemoryImporter } from './import-memory.ts'
import { createMemoryExporter } from './memory-archive.ts'
import { createMemorySearch } from './memory-search.ts'
import { memoryOptions } from './options.ts'
import { memoryPermissions } from './permissions.ts'
import { memoryLimits } from './plan-limits.ts'
import { memoryRoutes } from './routes.ts'
import { createMemorySeal } from './sealed-memory.ts'
import { createMemorySource } from './search-source.ts'
import { createMemoryService } from './service.ts'
import { createMemoryUpkeep } from './upkeep.ts'

/** Memory of agents that act for a profile. */
export const memory = feature('memory', memoryOptions, (options) =>
  defineModule({
    name: 'memory',
    requires: [profiles],
    uses: [search],
    events: memoryEvents,
    stores: ['memory'],
    planLimits: memoryLimits,
    scopes: ['read:memory', 'write:memory'],
    permissions: memoryPermissions,
    limits: { memory: 120, memory_search: 60 },
    create({ read, write, clock, may, settings, report }, { profiles, searchPartitions }) {
      const { encryptionKey = [], summarizer } = options
      const seal = createMemorySeal(typeof encryptionKey === 'string' ? [encryptionKey] : encryptionKey)
      const requireSession = createSessionAccess({ read, profiles, clock, may })
      const { planLimits } = settings
      return {
        memorySeal: seal,
        memory: createMemoryService({ read, write, clock, profiles, planLimits, seal, requireSession }),
        memorySearch: createMemorySearch({
          read,
          clock,
          seal,
          requireSession,
          searchPartitions,
          summarizer,
          onError: report,
        }),
      }
    },
    routes: (app, services) => memoryRoutes(app, services, options.summarizer !== undefined),
    searchSource: ({ memorySeal: seal }, { read, clock }) => createMemorySource({ read, clock, seal }),
    workers: ({ memorySeal: seal, searchPartitions }, { write, clock, report }) => [
      createMemoryUpkeep({ write, clock, seal, searchPartitions, onError: report }),
    ],
    exportProfile: ({ memorySeal: seal }, { read, clock }) => createMemoryExporter({ read, clock, seal }),
    importProfile: ({ memorySeal: seal }, { read, clock, settings: { planLimits } }) =>
      createMemoryImporter({ read, clock, planLimits, seal }),
  }),
)
