import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
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
}

interface Entered extends Dispatched {
  readonly url: string
  isTaken?: true
}

const entered = new AsyncLocalStorage<Entered>()

/**
 * Sends a request to a route of the service as the caller of another one: none of its headers identifies a caller. Only the first request
 * for the URL inherits, so requests that handlers or hooks of hosts send do not.
 */
export const dispatchAs = <Result>(dispatched: Dispatched, url: string, send: () => Result): Result =>
  entered.run({ ...dispatched, url }, send)

/** Returns what a request inherits; undefined for requests from outside. */
export function takeDispatched({ raw }: FastifyRequest): Dispatched | undefined {
  const found = entered.getStore()
  if (!found || found.isTaken || found.url !== raw.url) return undefined
  found.isTaken = true
  return found
}
