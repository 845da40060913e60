import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { paywall } from '../../access/paywall/token.ts'
import { jobs } from '../../jobs/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { files } from '../files/token.ts'
import type { MediaApi } from './api.ts'
import { mediaEvents } from './events.ts'
import { mediaOptions } from './options.ts'
import { mediaLimits } from './plan-limits.ts'
import { mediaRoutes } from './routes.ts'
import { transcriptScreen } from './screens/transcript.ts'
import { createMediaService } from './service.ts'

/** Transcripts of recordings. */
export const media = feature('media', mediaOptions, (options) =>
  defineModule({
    name: 'media',
    events: mediaEvents,
    requires: [profiles, files, jobs, paywall],
    stores: ['files', 'jobs', 'media'],
    planLimits: mediaLimits,
    create: ({ read, write, clock, cache, may, logger, settings }, { files, profiles, jobs }) => ({
      media: createMediaService({
        read,
        write,
        clock,
        cache,
        may,
        files,
        profiles,
        jobs,
        planLimits: settings.planLimits,
        transcriber: options.transcriber,
        onShort: (details) => logger?.warn(details, 'a recording took more minutes than its owner had left'),
      }),
    }),
    public: {
      media: ({ media }): MediaApi => pick(media, 'isEnabled', 'ingest', 'minutesUsed'),
    },
    routes: mediaRoutes,
    screens: ({ media }) => (media.isEnabled ? [transcriptScreen({ media })] : []),
    close: async () => options.transcriber?.close?.(),
  }),
)
