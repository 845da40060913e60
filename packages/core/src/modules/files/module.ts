import { pick } from '../../kernel/pick.ts'
import { defineCoreModule } from '../../module/define-module.ts'
import { paywall } from '../paywall/module.ts'
import { profiles } from '../profiles/module.ts'
import { fileEvents } from './events.ts'
import { createFileExporter } from './export-files.ts'
import { fileRoutes } from './routes.ts'
import { createFileService } from './service.ts'
import { createFileSweeper } from './sweeper.ts'

/** How often blobs of deleted files are removed, or as often as accounts are purged, if that is more. */
const SWEEP_INTERVAL_MS = 60_000

/** Files of profiles: uploads, scanning, images and downloads. */
export const files = defineCoreModule({
  name: 'files',
  events: fileEvents,
  requires: [profiles, paywall],
  stores: ['files'],
  scopes: ['read:files'],
  isConfigured: ({ files }) => files.blobStore !== undefined,
  create({ read, write, clock, cache, logger, settings }, { profiles }) {
    const { planLimits } = settings
    const { blobStore: blobs, imageProcessor: images, scanner, toolkit } = settings.files
    const onFileTrouble = (error: unknown) =>
      logger?.error({ err: error }, 'blobs of files could not be removed; it is tried again')
    return {
      onFileTrouble,
      files: createFileService({
        read,
        write,
        clock,
        cache,
        profiles,
        planLimits,
        blobs,
        toolkit,
        images,
        scanning: scanner && {
          scanner,
          onInfected: (found) => logger?.warn(found, 'an infected file was refused'),
          onTrouble: (error) => logger?.error({ err: error }, 'a file was refused because it could not be scanned'),
        },
        onError: onFileTrouble,
      }),
    }
  },
  public: {
    files: ({ files }) => pick(files, 'isEnabled', 'find', 'open', 'list', 'delete'),
  },
  routes: fileRoutes,
  exportProfile: ({ files }, { read }) => createFileExporter(read, files),
  workers({ onFileTrouble: onError }, { read, write, clock, settings }) {
    const { blobStore: blobs } = settings.files
    const everyMs = Math.min(settings.auth.purgeIntervalMs, SWEEP_INTERVAL_MS)
    return [blobs && createFileSweeper({ read, write, clock, blobs, onError, everyMs })]
  },
})
