import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { paywall } from '../../access/paywall/token.ts'
import { jobs } from '../../jobs/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { files } from '../files/token.ts'
import { textExtractionEvents } from './events.ts'
import { textExtractionOptions } from './options.ts'
import { textExtractionRoutes } from './routes.ts'
import { createTextExtractionService } from './service.ts'

/** The text of files. */
export const textExtraction = feature('textExtraction', textExtractionOptions, (options) =>
  defineModule({
    name: 'text-extraction',
    events: textExtractionEvents,
    requires: [profiles, files, jobs, paywall],
    stores: ['files', 'fileTexts', 'jobs'],
    create({ read, write, clock, cache, publicUrl }, { files, jobs }) {
      const { converter, waitMs } = options
      return {
        textExtraction: createTextExtractionService({
          read,
          write,
          clock,
          cache,
          files,
          jobs,
          publicUrl,
          converter,
          waitMs,
        }),
      }
    },
    routes: textExtractionRoutes,
    close: ({ textExtraction }) => textExtraction.stop(),
  }),
)
