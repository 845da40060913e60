import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Bot, BotCheck } from '../../model/bot.ts'
import type { IdentifiedCaller } from './identify.ts'

/** What a request that the service sends to itself inherits from the one that it answers. */
export interface Dispatched {
  readonly identified: IdentifiedCaller
  readonly bot: Bot
  readonly botCheck: BotCheck | undefined
  readonly searchEngine: string | undefined
  /** The module that sends it. */
  readonly by: string
  /** The response to the client, in which the content is delivered. */
  readonly outer: FastifyReply['raw']
}

interface Entered extends Dispatched {
  readonly url: string
  isTaken?: true
}

const entered = new AsyncLocalStorage<Entered>()

/** The path and query of a URL of this service, as a request for it has them. */
export function requestTarget(url: string): string {
  const { pathname, search } = new URL(`http://localhost${url}`)
  return pathname + search
}

/**
 * Sends a request to a route of the service as the caller of another one: none of its headers identifies a caller. Only the first request
 * for the URL inherits, so requests that handlers or hooks of hosts send do not.
 *
 * @param url - in the form of {@link requestTarget}
 * @throws TypeError for another form; an error when the request did not inherit, because its response is not that of the caller
 */
export async function dispatchAs<Result>(
  dispatched: Dispatched,
  url: string,
  send: () => Promise<Result>,
): Promise<Result> {
  if (requestTarget(url) !== url) throw new TypeError(`The URL of an inner request is not in normal form: ${url}`)
  const own: Entered = { ...dispatched, url }
  const result = await entered.run(own, send)
  if (!own.isTaken) throw new Error(`The inner request for ${url} did not inherit its caller`)
  return result
}

/** Returns what a request inherits; undefined for requests from outside. */
export function takeDispatched({ raw }: FastifyRequest): Dispatched | undefined {
  const found = entered.getStore()
  if (!found || found.isTaken || found.url !== raw.url) return undefined
  found.isTaken = true
  return found
}

/**
 * Calls back once, when the client of a request has its response or can no longer get it. For a request that the service sent to itself
 * that is the client of the outer one.
 *
 * @param callback - receives whether the whole response was handed over
 */
export function onceSent(
  request: Pick<FastifyRequest, 'eep'>,
  reply: FastifyReply,
  callback: (isFinished: boolean) => void,
): void {
  const outer = request.eep?.dispatched?.outer
  const raw = outer ?? reply.raw
  let ended = false
  const end = (isFinished: boolean) => () => {
    if (ended) return
    ended = true
    // An error in place of the result has nothing of it.
    callback(isFinished && !(outer && outer.statusCode >= 400))
  }
  // A client that disconnected before emits no further event.
  if (raw.destroyed) end(false)()
  else raw.once('finish', end(true)).once('close', end(false))
}
