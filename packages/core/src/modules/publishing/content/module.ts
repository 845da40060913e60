import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { ContentApi } from './api.ts'
import { contentResources } from './content-resources.ts'
import { contentEvents } from './events.ts'
import { createContentExporter } from './export-content.ts'
import { createContentImporter } from './import-content.ts'
import { contentsOfProfiles } from './profile-part.ts'
import { contentRoutes } from './routes.ts'
import { createContentService } from './service.ts'
import { createSignalPages } from './signal-page.ts'

/** Pages, categories and their versions. */
export const content = defineModule({
  name: 'content',
  events: contentEvents,
  requires: [profiles, paywall],
  optionalStores: ['pageVersions', 'pageDrafts', 'ordering', 'oldPaths'],
  scopes: ['read:content', 'write:content'],
  profilePart: contentsOfProfiles,
  create({ read, write, clock, cache, settings }, { profiles, quota }) {
    const { autosaveIntervalSeconds: intervalSeconds, maxVersions: kept } = settings.content
    const versions = { intervalSeconds, kept }
    const content = createContentService({
      read,
      write,
      clock,
      cache,
      profiles,
      hooks: settings.hooks,
      quota,
      versions,
    })
    return {
      content,
      signalPages: createSignalPages({ read, cache, profiles }),
    }
  },
  public: {
    content: ({ content: { pages, categories, drafts, versions, reorder } }): ContentApi => ({
      pages: pick(pages, 'list', 'get', 'create', 'update', 'delete'),
      categories: pick(categories, 'tree', 'get', 'create', 'update', 'delete'),
      drafts: pick(drafts, 'get', 'put', 'delete', 'publish'),
      versions: pick(versions, 'list', 'get', 'diff', 'restore'),
      reorder,
    }),
  },
  resources: ({ content }) => contentResources(content),
  routes: contentRoutes,
  importProfile: (_services, { settings: { content, hooks } }) =>
    createContentImporter({ hooks, kept: content.maxVersions }),
  exportProfile: (_services, { read }) => createContentExporter(read),
})
