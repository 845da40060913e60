import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, InjectOptions } from 'fastify'

const CORE = fileURLToPath(new URL('../../packages/core/src/', import.meta.url))

/** A request, and the status of its answer. Default: 200. */
export interface Asked extends Pick<InjectOptions, 'method' | 'headers' | 'payload'> {
  readonly url: string
  readonly status?: number
}

/** Sends a request to a service. Throws when the status is another. */
export async function ask(app: FastifyInstance, { status = 200, ...request }: Asked) {
  const answer = await app.inject(request)
  if (answer.statusCode !== status) {
    throw new Error(`${request.method ?? 'GET'} ${request.url}: ${answer.statusCode} ${answer.body}`)
  }
  return answer
}

/** Records the files of core of which a function runs, by the precise coverage of V8. */
export async function createFileRecorder() {
  const coverage = new Session()
  coverage.connect()
  await coverage.post('Profiler.enable')
  await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const recorded = new Set<string>()

  /** Forgets what ran since the last call. */
  const skip = () => coverage.post('Profiler.takePreciseCoverage')

  /** Records what ran since the last call. */
  async function record(): Promise<void> {
    const { result } = await coverage.post('Profiler.takePreciseCoverage')
    for (const { url, functions } of result) {
      const hasRun = functions.some((one) => one.functionName !== '' && one.ranges.some(({ count }) => count > 0))
      if (hasRun && url.startsWith(`file://${CORE}`)) recorded.add(relative(CORE, fileURLToPath(url)))
    }
  }

  return {
    /** Leaves out the hooks that every request of a service passes. Call it before the service is registered. */
    leaveOutHooks(app: FastifyInstance): void {
      app.addHook('preHandler', async () => void (await skip()))
    },

    /** Sends a request, and records what runs from its handler to the end of its answer. */
    async ask(app: FastifyInstance, request: Asked) {
      await record()
      const answer = await ask(app, request)
      await record()
      return answer
    },

    /** Returns the files that run while a function does. What it does besides requests is recorded, too. */
    async filesOf(walk: () => Promise<unknown>): Promise<readonly string[]> {
      await skip()
      recorded.clear()
      await walk()
      await record()
      return [...recorded].sort()
    },
  }
}
