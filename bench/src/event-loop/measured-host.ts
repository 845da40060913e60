import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Requests } from '@eep/test/support/client'
import type { LightMyRequestResponse } from 'fastify'
import type { MeasuredMessage } from './host.ts'

interface RemoteRequest {
  readonly method?: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: unknown
}

/** Starts the host that measures its event loop; see `host.ts`. */
export async function startMeasuredHost(env: Record<string, string>) {
  const file = new URL('./host.ts', import.meta.url)
  const child: ChildProcess = fork(file, {
    execArgv: ['--conditions=@eep/source'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(([code, signal]): never => {
    throw new Error(`The host ended: ${code ?? signal}`)
  })
  exited.catch(() => {})
  const message = async () => {
    const [received] = await Promise.race([once(child, 'message'), exited])
    return received as MeasuredMessage
  }
  const first = await message()
  if (first.type !== 'listening') throw new Error('The host does not listen')
  const { url } = first

  /** Sends a request as `app.inject` does. */
  async function inject({ method = 'GET', url: path, headers = {}, payload }: RemoteRequest) {
    const isRaw = payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)
    const response = await fetch(`${url}${path}`, {
      method,
      headers: isRaw ? headers : { 'content-type': 'application/json', ...headers },
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: isRaw ? (payload as string) : JSON.stringify(payload) }),
    })
    const body = await response.text()
    // The client reads these members of a response only.
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body,
      json: () => JSON.parse(body),
    } as unknown as LightMyRequestResponse
  }

  return {
    // The client calls this method only.
    app: { inject } as unknown as Requests,
    /** The longest block of the event loop since the last call, in CPU time. */
    async longest() {
      child.send('longest')
      const answer = await message()
      if (answer.type !== 'longest') throw new Error('Unexpected answer')
      return answer
    },
    async stop() {
      child.disconnect()
      await exited.catch(() => {})
    },
  }
}
