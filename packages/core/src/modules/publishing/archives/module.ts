import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import type { ArchiveFormat } from '../../../ports/archive-format.ts'
import { jobs } from '../../jobs/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { files } from '../files/token.ts'
import type { ArchivesApi } from './api.ts'
import { createDirectArchives, createPublicArchives } from './direct-archives.ts'
import { createExportWriter } from './export-contents.ts'
import { exportKind } from './export-job.ts'
import { createImporter } from './import-archive.ts'
import { importKind } from './import-job.ts'
import { createExportLinks } from './links.ts'
import { archivesOptions } from './options.ts'
import { archiveLimits } from './plan-limits.ts'
import { archiveRoutes } from './routes.ts'
import { accountExportsScreen } from './screens/account-exports.ts'
import { exportsScreen } from './screens/exports.ts'
import { importReportScreen, importScreen } from './screens/import.ts'
import { createArchiveService } from './service.ts'

/** Exports of profiles and accounts, and imports of profiles. */
export const archives = feature(
  'archives',
  archivesOptions,
  (options, { format }: { readonly format: ArchiveFormat }) =>
    defineModule({
      name: 'archives',
      requires: [profiles, files, jobs],
      stores: ['files', 'jobs', 'pageVersions', 'hiddenProfiles'],
      planLimits: archiveLimits,
      create(
        { read, write, clock, keyring, publicUrl, counters, settings, logger },
        { jobs, profiles, fileStorage: { blobs, toolkit } },
      ) {
        const exportLinks = createExportLinks(keyring, publicUrl)
        const onArchiveTrouble = (error: unknown) =>
          logger?.warn({ err: error }, 'the bytes of an archive could not be removed; it is tried again')
        const stored = { read, write, clock, blobs, format, toolkit }
        return {
          exportLinks,
          onArchiveTrouble,
          publicArchives: createPublicArchives(),
          archives: createArchiveService({
            ...stored,
            jobs,
            profiles,
            links: exportLinks,
            counters,
            planLimits: settings.planLimits,
            onError: onArchiveTrouble,
          }),
        }
      },
      public: {
        archives: ({ publicArchives }): ArchivesApi => publicArchives.archives,
      },
      routes: archiveRoutes,
      screens: ({ archives }, { settings: { planLimits } }) =>
        archives.isEnabled
          ? [
              exportsScreen({ archives }),
              accountExportsScreen({ archives }),
              importScreen({ archives, planLimits }),
              importReportScreen({ archives }),
            ]
          : [],
      // Kinds of jobs are defined before the queue starts. These need what every module adds to archives.
      workers(services, context) {
        const {
          jobs,
          profiles,
          profileRestorer,
          hiddenProfiles,
          exportLinks: links,
          onArchiveTrouble: onError,
          publicArchives,
          fileStorage: { blobs },
        } = services
        const {
          read,
          write,
          clock,
          keyring,
          serviceDid,
          settings,
          profileExporters,
          accountExporters,
          profileImporters,
        } = context
        const { trustedIssuers } = options
        const { planLimits } = settings
        if (!blobs) return []
        const stored = { read, write, clock }
        const contents = createExportWriter({
          read,
          profiles,
          keyring,
          serviceDid,
          format,
          profileExporters,
          accountExporters,
        })
        const importArchive = createImporter({
          ...stored,
          profiles,
          profileRestorer,
          hiddenProfiles,
          planLimits,
          keyring,
          trustedIssuers,
          format,
          profileImporters,
          onError,
        })
        publicArchives.set(createDirectArchives({ read, clock, contents, importArchive }))
        if (jobs.isEnabled) {
          jobs.define(exportKind({ ...stored, links, blobs, contents }))
          jobs.define(importKind({ clock, blobs, importArchive }))
        }
        return []
      },
    }),
)
