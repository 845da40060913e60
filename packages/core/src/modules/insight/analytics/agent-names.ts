import { hmac } from '../../../kernel/digest.ts'
import { claimedSigner } from '../../../model/bot.ts'
import type { VisitingAgent, VisitingRequest } from '../../../model/visit.ts'
import { familyOf } from './user-agents.ts'

/**
 * How an agent is identified: by a DID that it proved, an API key, the connection of an app, the signature of its operator (Web Bot Auth), the user agent of a
 * known family, or an unproven claim: a DID, or a directory of keys.
 */
export const AGENT_KINDS = ['verified', 'key', 'app', 'signed', 'family', 'named', 'web_bot_auth'] as const
export type AgentKind = (typeof AGENT_KINDS)[number]

/** An agent in figures. */
export interface NamedAgent {
  readonly kind: AgentKind
  /** A DID, an origin, a family or a host; null for an agent with an id alone. */
  readonly name: string | null
  /** An id that is specific to the profile; null for an agent with a name. */
  readonly id: string | null
}

export interface AgentNamesDeps {
  readonly idKey: Uint8Array
  /** The DID of the service. Those of its profiles begin with it. */
  readonly serviceDid: string
}

const MAX_DID_LENGTH = 300
/** Separates an agent from its action in keys. DIDs, paths and queries do not contain it. */
const SEPARATOR = '\t'

/** Names agents in the keys of figures. DIDs of profiles of this service become ids, so that no name remains when one is erased. */
export function createAgentNames({ idKey, serviceDid }: AgentNamesDeps) {
  const idOf = (profileId: number, text: string) => `#${hmac(idKey, `${profileId} ${text}`).slice(0, 22)}`
  const didOf = (profileId: number, did: string) =>
    did.startsWith(serviceDid) || did.length > MAX_DID_LENGTH ? idOf(profileId, did) : did

  /** Returns the agent of a request; undefined for people and other programs. */
  return function agentOf(
    profileId: number,
    { headers }: VisitingRequest,
    agent: VisitingAgent | undefined,
  ): string | undefined {
    if (agent?.verified && agent.did !== undefined) return `verified:${didOf(profileId, agent.did)}`
    if (agent?.keyId !== undefined) return `key:${idOf(profileId, String(agent.keyId))}`
    if (agent?.app) return `app:${agent.app.host ?? idOf(profileId, agent.app.name)}`
    if (agent?.bot !== undefined) return `signed:${agent.bot.slice(0, MAX_DID_LENGTH)}`
    if (agent?.did !== undefined) return `named:${didOf(profileId, agent.did)}`
    const family = familyOf(headers['user-agent'])
    if (family !== undefined) return `family:${family}`
    const claimed = claimedSigner(headers['signature-agent'])
    return claimed === undefined ? undefined : `web_bot_auth:${claimed.slice('https://'.length)}`
  }
}

/** Whether an agent only claims its name. Such names are invented easily, so they are counted apart. */
export const isClaimed = (agent: string): boolean => agent.startsWith('named:') || agent.startsWith('web_bot_auth:')

/** The key of an action of an agent. */
export const agentKey = (...parts: readonly string[]): string => parts.join(SEPARATOR)

/** Reads a key. Undefined for the key of everything that exceeds a bound. */
export function readAgentKey(key: string): { readonly agent: string; readonly parts: readonly string[] } | undefined {
  const [agent = '', ...parts] = key.split(SEPARATOR)
  return parts.length === 0 ? undefined : { agent, parts }
}

/** Reads an agent. */
export function readAgent(text: string): NamedAgent | undefined {
  const colon = text.indexOf(':')
  const kind = AGENT_KINDS.find((each) => each === text.slice(0, colon))
  const name = text.slice(colon + 1)
  if (!kind) return undefined
  return name.startsWith('#') ? { kind, name: null, id: name.slice(1) } : { kind, name, id: null }
}
