import { pick } from '../../kernel/pick.ts'
import { defineCoreModule } from '../../module/define-module.ts'
import { jobEvents } from './events.ts'
import { jobMetrics, oldestOpenJob, openJobs } from './metrics.ts'
import { jobNotifications } from './notifications.ts'
import { jobRoutes } from './routes.ts'
import { createJobService } from './service.ts'

/** Background jobs of accounts. */
export const jobs = defineCoreModule({
  name: 'jobs',
  events: jobEvents,
  metrics: jobMetrics,
  notifications: jobNotifications,
  stores: ['jobs'],
  create({ read, write, clock, consumers, logger, metrics, workload, settings }) {
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
      listen: consumers.liveUnordered,
      onError: (error, job) =>
        logger?.error({ err: error, job: job?.id, kind: job?.kind }, 'a job failed; it is retried'),
    })
    settings.jobs.kinds.forEach(jobs.define)
    return { jobs }
  },
  public: {
    jobs: ({ jobs }) => pick(jobs, 'isEnabled', 'define', 'request', 'add', 'get', 'list', 'cancel'),
  },
  routes: jobRoutes,
  workers: ({ jobs }) => [jobs],
})
