import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Bot, IdentifiedBot, IdentifyBot } from '../../model/bot.ts'
import { searchEngineOfSigner } from '../../model/known-agents.ts'
import { clientOf } from './client-address.ts'

function setBot({ eep }: FastifyRequest, { bot, check, searchEngine }: IdentifiedBot): void {
  const set = (result: Bot) => {
    eep.bot = result
    eep.searchEngine = searchEngine ?? (result.state === 'verified' ? searchEngineOfSigner(result.origin) : undefined)
  }
  set(bot)
  eep.botCheck = check
  // Updates the result once the keys of the signer are fetched.
  void check?.result.then(set)
}

/**
 * Sets the program that sent a request, from its signature or its address. Undefined, immediately, for requests that have neither.
 *
 * @throws `invalid_bot_signature` for an invalid signature, where the host refuses them
 */
export function identifyBotOf(request: FastifyRequest, identify: IdentifyBot): Promise<void> | undefined {
  const { method, originalUrl: url, ip, headers } = request
  const found = identify({
    method,
    url,
    ip,
    headers,
    // Most requests have no signature, and need no limit here.
    get client() {
      return clientOf(request)
    },
  })
  if (found instanceof Promise) return found.then((identified) => setBot(request, identified))
  if (found) setBot(request, found)
  return undefined
}

/** Sets the program that sent a request. Other requests wait for nothing. */
export const identifyBots =
  (identify: IdentifyBot): onRequestHookHandler =>
  (request, _reply, done) => {
    const identifying = request.eep.dispatched ? undefined : identifyBotOf(request, identify)
    if (identifying) identifying.then(() => done(), done)
    else done()
  }
