import { RATE_WINDOW_MS } from '../http/rate-limit.ts'
import { TIERS } from '../modules/accounts/index.ts'
import { createConnectionService } from '../modules/connections/index.ts'
import { accessTo, contentPath, createContentService } from '../modules/content/index.ts'
import { createDiscoveryService } from '../modules/discovery/index.ts'
import { createDocumentService } from '../modules/documents/index.ts'
import { createFileService } from '../modules/files/index.ts'
import { createJobService } from '../modules/jobs/index.ts'
import { createMediaService } from '../modules/media/index.ts'
import { createReactionService } from '../modules/reactions/index.ts'
import { createTrustService } from '../modules/trust/index.ts'
import type { Foundation } from './foundation.ts'
import type { People } from './people.ts'

/** What is published, and the work behind it. */
export function createPublishing(foundation: Foundation, { profiles, ownProfiles, quota }: People) {
  const { settings, read, write, clock, cache, publicUrl, logger, scaled } = foundation
  const { tierFacts, blobs, scanner } = settings

  const onFileTrouble = (error: unknown) =>
    logger?.error({ err: error }, 'blobs of files could not be removed; it is tried again')
  const files = createFileService({
    read,
    write,
    clock,
    cache,
    profiles,
    tierFacts,
    blobs,
    images: settings.images,
    scanning: scanner && {
      scanner,
      onInfected: (found) => logger?.warn(found, 'an infected file was refused'),
      onTrouble: (error) => logger?.error({ err: error }, 'a file was refused because it could not be scanned'),
    },
    onError: onFileTrouble,
  })
  const jobs = createJobService({
    read,
    write,
    clock,
    queue: settings.storage.queue,
    settings: settings.jobs,
    listen: foundation.dispatcher.listen,
    onError: (error, job) => logger?.error({ err: error, job: job?.id, kind: job?.kind }, 'a job needs another try'),
  })
  settings.jobs.kinds.forEach(jobs.define)
  const media = createMediaService({
    read,
    write,
    clock,
    cache,
    files,
    profiles,
    jobs,
    tierFacts,
    transcriber: settings.transcriber,
    onShort: (details) => logger?.warn(details, 'a recording took more minutes than its owner had left'),
  })
  const documents = createDocumentService({
    read,
    write,
    clock,
    cache,
    files,
    jobs,
    publicUrl,
    converter: settings.converter,
    waitMs: settings.conversionWaitMs,
  })
  const content = createContentService({
    read,
    write,
    clock,
    cache,
    profiles,
    hooks: settings.hooks,
    quota,
    versions: { intervalSeconds: settings.content.versionIntervalSeconds, kept: settings.content.keptVersions },
  })
  const discovery = createDiscoveryService({
    settings,
    read,
    clock,
    cache: foundation.listings,
    content: { accessTo, contentPath },
    docsUrl: foundation.docsUrl,
    keyring: foundation.keyring,
    rates: {
      windowSeconds: RATE_WINDOW_MS / 1000,
      groups: foundation.limits,
      keys: Object.fromEntries(TIERS.map((tier) => [tier, scaled(tierFacts(tier).apiRequestsPerMinute)])),
    },
  })

  return {
    files,
    onFileTrouble,
    jobs,
    media,
    documents,
    content,
    reactions: createReactionService({ read, write, clock, content }),
    connections: createConnectionService({ read, write, clock, profiles, ownProfiles }),
    trust: createTrustService({ read, clock, cache, profiles }),
    discovery,
  }
}

export type Publishing = ReturnType<typeof createPublishing>
