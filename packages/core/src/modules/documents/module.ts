import { defineCoreModule } from '../../module/define-module.ts'
import { files } from '../files/module.ts'
import { jobs } from '../jobs/module.ts'
import { paywall } from '../paywall/module.ts'
import { profiles } from '../profiles/module.ts'
import { documentRoutes } from './routes.ts'
import { createDocumentService } from './service.ts'

/** The text of files. */
export const documents = defineCoreModule({
  name: 'documents',
  requires: [profiles, files, jobs, paywall],
  stores: ['files', 'fileTexts', 'jobs'],
  create({ read, write, clock, cache, publicUrl, settings }, { files, jobs }) {
    const { converter, conversionWaitMs: waitMs } = settings.files
    return {
      documents: createDocumentService({ read, write, clock, cache, files, jobs, publicUrl, converter, waitMs }),
    }
  },
  routes: documentRoutes,
  close: ({ documents }) => documents.stop(),
})
