import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { ContentApi } from './api.ts'
import { contentImporter } from './content-importer.ts'
import { contentResources } from './content-resources.ts'
import { contentEvents } from './events.ts'
import { createContentExporter } from './export-content.ts'
import { contentNotifications } from './notifications.ts'
import { contentsOfProfiles } from './profile-part.ts'
import { createPublisher } from './publisher.ts'
import { contentRoutes } from './routes.ts'
import { createContentService } from './service.ts'
import { createSignalPages } from './signal-page.ts'

/** Scheduled pages are published at most a minute late. */
const PUBLISH_INTERVAL_MS = 20_000

/** Pages, categories and their versions. */
export const content = defineModule({
  name: 'content',
  events: contentEvents,
  requires: [profiles, paywall],
  optionalStores: ['pageVersions', 'pageDrafts', 'ordering', 'oldPaths'],
  scopes: ['read:content', 'write:content'],
  // Editors ask for one after each pause in typing.
  limits: { previews: 60 },
  profilePart: contentsOfProfiles,
  notifications: contentNotifications,
  create({ read, write, clock, cache, logger, settings }, { profiles, quota }) {
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
    const everyMs = Math.min(settings.auth.purgeIntervalMs, PUBLISH_INTERVAL_MS)
    const onError = (error: unknown) => logger?.warn({ err: error }, 'a page could not be published; will retry')
    return {
      content,
      publisher:
        read.scheduledPublications &&
        createPublisher({ read, write, clock, hooks: settings.hooks, quota, versions, everyMs, onError }),
      signalPages: createSignalPages({ read, cache, profiles }),
    }
  },
  public: {
    content: ({ content: { pages, categories, drafts, versions, reorder } }): ContentApi => ({
      pages: pick(pages, 'list', 'get', 'create', 'update', 'delete'),
      categories: pick(categories, 'tree', 'get', 'create', 'update', 'delete'),
      drafts: pick(drafts, 'get', 'put', 'delete', 'schedule', 'publish'),
      versions: pick(versions, 'list', 'get', 'diff', 'restore'),
      reorder,
    }),
  },
  resources: ({ content }) => contentResources(content),
  routes: contentRoutes,
  importProfile: (_services, { settings: { content, hooks } }) => contentImporter({ hooks, kept: content.maxVersions }),
  exportProfile: (_services, { read }) => createContentExporter(read),
  workers: ({ publisher }) => [publisher],
})
