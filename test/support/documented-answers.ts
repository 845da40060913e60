import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { Answer } from './described-service.ts'

const recorded: (Answer & { readonly request: string })[] = []
let isRecording = false

/** The text of a body that is not sent as a stream. */
const textOf = (payload: unknown): string | undefined =>
  typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString() : undefined

/**
 * Records what the routes of the service answer on a server. The hook comes before those of the service, which compress.
 * Not recorded: answers of the server to requests that reach no route, and open streams, which the service writes itself;
 * the headers of a stream are those of its HEAD request. Of bodies that the response cache compressed, only the type is.
 */
function addRecorder(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { eep } = request.routeOptions.config as { readonly eep?: { readonly operationId: string } }
    // The document does not list OPTIONS, which belongs to a path rather than to an operation.
    if (isRecording && eep?.operationId && request.method !== 'OPTIONS') {
      const isEmpty = payload === null || payload === undefined || payload === ''
      const type = isEmpty ? undefined : String(reply.getHeader('content-type') ?? '').replace(/\s*;.*/, '')
      const isReadable = request.method !== 'HEAD' && !reply.hasHeader('content-encoding')
      const json = type?.includes('json') && isReadable ? textOf(payload) : undefined
      const { operationId } = eep
      recorded.push({ request: `${request.method} ${request.url}`, operationId, status: reply.statusCode, type, json })
    }
    done(null, payload)
  })
}

// Every server of the process, also one that a test creates itself, before anything is registered on it.
subscribe('fastify.initialization', (message) => addRecorder((message as { fastify: FastifyInstance }).fastify))

/** Begins or ends to record answers, and forgets those that were recorded. A process runs several test files. */
export function recordAnswers(isOn: boolean): void {
  isRecording = isOn
  recorded.length = 0
}

/** Forgets the recorded answers, and returns a sentence about each of them that the OpenAPI document does not describe. */
export async function undocumentedAnswers(): Promise<readonly string[]> {
  const answers = recorded.splice(0)
  if (answers.length === 0) return []
  // Other test files need not load what makes the document.
  const { problemOf } = await import('./described-service.ts')
  const problems = new Map<string, string>()
  for (const answer of answers) {
    const problem = await problemOf(answer)
    if (problem !== undefined && !problems.has(problem)) problems.set(problem, `${answer.request}: ${problem}`)
  }
  return [...problems.values()]
}
