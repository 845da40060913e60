import { defineCoreModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { paywall } from '../../access/paywall/module.ts'
import { jobs } from '../../jobs/module.ts'
import { profiles } from '../../profiles/profiles/module.ts'
import { files } from '../files/module.ts'
import type { MediaApi } from './api.ts'
import { mediaEvents } from './events.ts'
import { mediaRoutes } from './routes.ts'
import { createMediaService } from './service.ts'

/** Transcripts of recordings. */
export const media = defineCoreModule({
  name: 'media',
  events: mediaEvents,
  requires: [profiles, files, jobs, paywall],
  stores: ['files', 'jobs', 'media'],
  create: ({ read, write, clock, cache, logger, settings }, { files, profiles, jobs }) => ({
    media: createMediaService({
      read,
      write,
      clock,
      cache,
      files,
      profiles,
      jobs,
      planLimits: settings.planLimits,
      transcriber: settings.files.transcriber,
      onShort: (details) => logger?.warn(details, 'a recording took more minutes than its owner had left'),
    }),
  }),
  public: {
    media: ({ media }): MediaApi => pick(media, 'isEnabled', 'ingest', 'minutesUsed'),
  },
  routes: mediaRoutes,
})
