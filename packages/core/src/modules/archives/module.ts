import { defineCoreModule } from '../../module/define-module.ts'
import { files } from '../files/module.ts'
import { jobs } from '../jobs/module.ts'
import { profiles } from '../profiles/module.ts'
import { exportKind } from './export-job.ts'
import { createExportLinks } from './links.ts'
import { archiveRoutes } from './routes.ts'
import { createArchiveService } from './service.ts'

/** Exports and imports of profiles. */
export const archives = defineCoreModule({
  name: 'archives',
  requires: [profiles, files, jobs],
  stores: ['files', 'jobs'],
  create({ read, write, clock, keyring, publicUrl, settings }, { jobs, profiles }) {
    const exportLinks = createExportLinks(keyring, publicUrl)
    const { format } = settings.archives
    const { blobStore: blobs } = settings.files
    return {
      exportLinks,
      archives: createArchiveService({ read, write, clock, jobs, profiles, links: exportLinks, blobs, format }),
    }
  },
  routes: archiveRoutes,
  // Kinds of jobs are defined before the queue starts. This one needs what every module adds to an archive.
  workers({ jobs, profiles, exportLinks: links }, context) {
    const { read, write, clock, keyring, serviceDid, settings, profileExporters } = context
    const { format } = settings.archives
    const { blobStore: blobs } = settings.files
    if (format && blobs && jobs.isEnabled) {
      const stored = { read, write, clock, keyring, serviceDid }
      jobs.define(exportKind({ ...stored, profiles, links, blobs, format, profileExporters }))
    }
    return []
  },
})
