import type { Agent } from '../../../../model/agent.ts'
import { type AudienceName, type Audiences, membersOf, UNVERIFIED } from '../../../../model/audience.ts'
import type { Bot, BotCheck, BotRequest } from '../../../../model/bot.ts'
import { type Caller, isInSession } from '../../../../model/caller.ts'
import { KNOWN_SIGNERS, searchEngineOfSigner } from '../../../../model/known-agents.ts'
import type { ClassifyReader, ReaderClass } from '../../../../ports/classify-reader.ts'

/** The reader of a request, as gates with audiences see it. */
export interface Reader {
  /** The audiences that the reader belongs to. Waits for the check of a signature, for a short time. */
  audiences(): Promise<Audiences>
  /** The audiences without what the signature of the request proves; undefined when it proves nothing. */
  unsigned(): Promise<Audiences | undefined>
  /**
   * Uses the signature for a resource that it opens by itself. False when it was used before, so that it proves nothing here.
   *
   * @throws `storage_unavailable` when that cannot be recorded
   */
  use(resource: string): Promise<boolean>
}

/** A request, as far as it shows who reads. */
export interface ReaderRequest extends Pick<BotRequest, 'method' | 'ip' | 'headers'> {
  readonly originalUrl: string
  readonly eep: {
    readonly caller: Caller | undefined
    readonly agent: Agent | undefined
    readonly bot: Bot
    readonly botCheck?: BotCheck | undefined
    readonly searchEngine?: string | undefined
  }
}

/** The facts by which a reader is classified. */
interface ReaderFacts {
  readonly bot: Bot
  readonly searchEngine: string | undefined
  readonly isPerson: boolean
  readonly looksLikeBrowser: boolean
  readonly classified: ReaderClass
}

const ofOrigin = (origin: string): readonly string[] => {
  const signer = KNOWN_SIGNERS.find(({ signatureAgent }) => signatureAgent === origin)
  return [`agent:${origin}`, ...(signer ? [`purpose:${signer.purpose}`] : [])]
}

/** Whom a verified signature names: the origin of its keys, or their exact URL. */
const ofBot = (bot: Bot): readonly string[] => {
  if (bot.state !== 'verified') return []
  return [
    ...(bot.origin === undefined ? [`agent:${bot.identifier}`] : [`agent:${bot.origin}`]),
    ...(bot.purpose === undefined ? [] : [`purpose:${bot.purpose}`]),
  ]
}

/** The audiences of a reader. What no module and no word of the host proves is not met. */
function audiencesOf({ bot, searchEngine, isPerson, looksLikeBrowser, classified }: ReaderFacts): Audiences {
  const { person = false, bot: vouched } = classified
  const names = new Set<string>()
  const add = (name: AudienceName, holds: boolean) => holds && names.add(name)
  add('people', isPerson || person)
  add('verified_bots', bot.state === 'verified' || vouched !== undefined)
  add('search_engines', (searchEngine ?? searchEngineOfSigner(vouched?.origin)) !== undefined)
  add('unverified', names.size === 0)
  add('browsers', looksLikeBrowser)
  for (const value of [...ofBot(bot), ...(vouched ? ofOrigin(vouched.origin) : [])]) names.add(value)
  return names
}

/** Whether a caller is a person in a session of this service, whose account owns its email address. */
const isPersonInSession = (caller: Caller | undefined): boolean =>
  caller !== undefined && isInSession(caller) && caller.account.emailOwned

const BROWSER = /^Mozilla\/5\.0 .*(Gecko|AppleWebKit)/

/**
 * Whether a request has what browsers send when a person opens a page, or when a script of that page pays for it. Any client can
 * send it.
 */
function isLikeBrowser({ headers, eep }: ReaderRequest): boolean {
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  const isOwnScript = headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty'
  return (
    (isNavigation || isOwnScript) &&
    BROWSER.test(String(headers['user-agent'] ?? '').slice(0, 512)) &&
    eep.agent === undefined &&
    headers.signature === undefined &&
    headers['x-api-key'] === undefined &&
    headers.authorization === undefined &&
    // The script of a paywall pays for what it showed to a browser. A navigation cannot carry this header.
    (isOwnScript || headers['payment-signature'] === undefined) &&
    headers['x-payment'] === undefined &&
    headers['payment-authorization'] === undefined
  )
}

const NO_CLASS: ReaderClass = {}
const NO_BOT: Bot = { state: 'absent' }

const readers = new WeakMap<ReaderRequest, Reader>()

/** Creates the function that returns the reader of a request, once for each request. */
export function createReaders(classify: ClassifyReader | undefined, onError: (error: unknown) => void) {
  async function classOf({ method, originalUrl: url, ip, headers }: ReaderRequest): Promise<ReaderClass> {
    const request: BotRequest = { method, url, ip, headers }
    try {
      return (await classify?.(request)) ?? NO_CLASS
    } catch (error) {
      onError(error)
      return NO_CLASS
    }
  }

  function createReader(request: ReaderRequest): Reader {
    const { eep } = request
    const uses = new Map<string, Promise<boolean>>()
    async function find() {
      // Sets `bot` and `searchEngine` of the request when it waits.
      const bot = (await eep.botCheck?.settled()) ?? eep.bot
      const facts = {
        isPerson: isPersonInSession(eep.caller),
        looksLikeBrowser: isLikeBrowser(request),
        classified: await classOf(request),
      }
      const { searchEngine } = eep
      const signed = audiencesOf({ ...facts, bot, searchEngine })
      if (bot.state !== 'verified') return { signed, unsigned: undefined }
      const bySignature = searchEngineOfSigner(bot.origin) !== undefined
      const unsigned = audiencesOf({ ...facts, bot: NO_BOT, searchEngine: bySignature ? undefined : searchEngine })
      return { signed, unsigned }
    }
    let found: ReturnType<typeof find> | undefined
    const once = () => (found ??= find())

    return {
      audiences: async () => (await once()).signed,
      unsigned: async () => (await once()).unsigned,
      use(resource) {
        const using =
          uses.get(resource) ?? eep.botCheck?.use(resource).then(({ state }) => state === 'verified') ?? NOT_USABLE
        uses.set(resource, using)
        return using
      },
    }
  }

  return (request: ReaderRequest): Reader => {
    const reader = readers.get(request) ?? createReader(request)
    readers.set(request, reader)
    return reader
  }
}

const NOT_USABLE = Promise.resolve(false)

/** The reader for an account that the host asks about: a person, if the account owns its email address. */
export const readerOfAccount = (caller: Caller | undefined): Reader => ({
  audiences: async () => (caller?.account.emailOwned ? PERSON : UNVERIFIED),
  unsigned: async () => undefined,
  use: () => NOT_USABLE,
})

/** A reader of one audience, without a signature. */
export const readerOfAudience = (name: AudienceName): Reader => ({
  audiences: async () => membersOf(name),
  unsigned: async () => undefined,
  use: () => NOT_USABLE,
})

const PERSON: Audiences = new Set<AudienceName>(['people'])
