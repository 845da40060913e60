import { defineModule } from '../../framework/module/define-module.ts'
import { pick } from '../../kernel/pick.ts'
import type { JobsApi } from './api.ts'
import { jobEvents } from './events.ts'
import { jobMetrics, oldestOpenJob, openJobs } from './metrics.ts'
import { jobNotifications } from './notifications.ts'
import { jobRoutes } from './routes.ts'
import { createJobService } from './service.ts'

/** Background jobs of accounts. */
export const jobs = defineModule({
  name: 'jobs',
  events: jobEvents,
  metrics: jobMetrics,
  notifications: jobNotifications,
  stores: ['jobs'],
  create({ read, write, clock, consumers, logger, metrics, requestScope, tracing, workload, settings }) {
    const open = async () => (await workload())?.jobs ?? []
    metrics.observe(openJobs, async () =>
      (await open()).map(({ kind, status, count }) => ({ labels: { kind, status }, value: count })),
    )
    metrics.observe(oldestOpenJob, async () =>
      (await open()).map(({ kind, status, oldestSeconds }) => ({ labels: { kind, status }, value: oldestSeconds })),
    )
    const jobs = createJobService({
      read,
      write,
      clock,
      queue: settings.storage.queue,
      settings: settings.jobs,
      retentionDays: settings.jobs.retentionDays,
      requestScope,
      tracing,
      listen: consumers.liveUnordered,
      onError: (error, job) =>
        logger?.warn({ err: error, job: job?.id, kind: job?.kind }, 'a job failed; it is retried'),
      onGivenUp: (error, { id, kind }) => logger?.error({ err: error, job: id, kind }, 'a job failed'),
    })
    settings.jobs.kinds.forEach(jobs.define)
    return { jobs }
  },
  public: {
    jobs: ({ jobs }): JobsApi => pick(jobs, 'isEnabled', 'define', 'request', 'add', 'get', 'list', 'cancel'),
  },
  routes: jobRoutes,
  workers: ({ jobs }) => [jobs],
})
