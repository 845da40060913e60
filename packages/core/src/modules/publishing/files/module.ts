import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { readinessChecks } from '../../../framework/module/readiness-checks.ts'
import { pick } from '../../../kernel/pick.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import { gates } from '../../access/gates/token.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { FilesApi } from './api.ts'
import { fileEvents } from './events.ts'
import { createFileExporter } from './export-files.ts'
import { fileResources } from './gated-file.ts'
import { createFileImporter } from './import-files.ts'
import { filesOptions } from './options.ts'
import { filePermissions } from './permissions.ts'
import { fileLimits } from './plan-limits.ts'
import { filesOfProfiles } from './profile-part.ts'
import { fileRoutes } from './routes.ts'
import { fileDetailsScreen } from './screens/file-details.ts'
import { fileListScreen } from './screens/file-list.ts'
import { createFileService } from './service.ts'
import { createFileSweeper } from './sweeper.ts'

/** How often blobs of deleted files are removed. If accounts are purged more often, that interval is used. */
const SWEEP_INTERVAL_MS = 60_000

/** Files of profiles: uploads, scanning, images and downloads. */
export const files = feature('files', filesOptions, (options, { toolkit }: { readonly toolkit: FileToolkit }) =>
  defineModule({
    name: 'files',
    events: fileEvents,
    requires: [profiles, paywall, gates],
    stores: ['files'],
    planLimits: fileLimits,
    scopes: ['read:files', { name: 'write:files', only: 'apps' }],
    permissions: filePermissions,
    profilePart: filesOfProfiles,
    isConfigured: options.blobStore !== undefined,
    create({ read, write, clock, cache, may, logger, settings }, { profiles }) {
      const { planLimits } = settings
      const { blobStore: blobs, imageProcessor: images, scanner } = options
      const [language = 'en'] = settings.pages.languages
      const onFileTrouble = (error: unknown) =>
        logger?.warn({ err: error }, 'blobs of files could not be removed; will retry')
      const scanning = scanner && {
        scanner,
        onInfected: (found: object) => logger?.warn(found, 'an infected file was refused'),
        onTrouble: (error: unknown) =>
          logger?.error({ err: error }, 'a file was refused because it could not be scanned'),
      }
      return {
        onFileTrouble,
        fileStorage: { blobs, toolkit },
        fileImporter: createFileImporter({
          read,
          write,
          clock,
          planLimits,
          language,
          blobs,
          toolkit,
          images,
          scanning,
        }),
        files: createFileService({
          read,
          write,
          clock,
          cache,
          may,
          profiles,
          planLimits,
          language,
          blobs,
          toolkit,
          images,
          scanning,
          onError: onFileTrouble,
        }),
      }
    },
    public: {
      files: ({ files }): FilesApi => pick(files, 'isEnabled', 'find', 'open', 'list', 'delete'),
    },
    resources: ({ files, paywall }) => fileResources(files, paywall),
    routes: fileRoutes,
    screens: ({ files, gates, profiles }) =>
      files.isEnabled ? [fileListScreen({ files, gates }), fileDetailsScreen({ files, gates, profiles })] : [],
    readiness: () => readinessChecks('blobs', options.blobStore),
    close: async () => options.blobStore?.close?.(),
    importProfile: ({ fileImporter }) => fileImporter,
    exportProfile: ({ files }, { read }) => createFileExporter(read, files),
    workers({ onFileTrouble: onError }, { read, write, clock, settings }) {
      const { blobStore: blobs } = options
      const everyMs = Math.min(settings.auth.purgeIntervalMs, SWEEP_INTERVAL_MS)
      return [blobs && createFileSweeper({ read, write, clock, blobs, onError, everyMs })]
    },
  }),
)
