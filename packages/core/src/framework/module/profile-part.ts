import type { Link } from '../../http/documents/links.ts'
import type { Html } from '../../http/html/html.ts'
import type { Site } from '../../http/html/view.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { AgentType } from '../../model/agent-type.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import type { PageLanguage } from '../../model/messages.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { OptionalGroup, Readers, Stores } from '../../ports/storage/storage.ts'
import type { Emit, EventDefinition } from '../../runtime/events/define-event.ts'

/** A way to receive events of profiles, as `eep.supported_delivery` of a profile names it. */
export type EventDelivery = 'sse' | 'webhook' | 'websocket'

/** The sections of a profile document that a part can follow. A part whose key is a section is that section. */
export const PROFILE_SECTIONS = [
  'about',
  'skills',
  'links',
  'agent_instructions',
  'agent_rules',
  'contents',
  'access',
] as const

/** A section of a profile document that a part can follow. */
export type ProfileSection = (typeof PROFILE_SECTIONS)[number]

/** The profile that a part is written for. */
export interface PartSubject {
  readonly profile: Profile
  readonly did: string
  /** The path of the profile: `/u/ada`. */
  readonly path: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** The gate of the profile; undefined without one. */
  readonly gates: GateConfig | undefined
  /** The key in the address of a file or page of an unlisted profile; undefined for other profiles. */
  linkKeyOf(kind: 'file' | 'page', id: number): string | undefined
}

/** What decides which items of a part a reader sees. */
export interface PartReader {
  /** Default: `general`. */
  readonly agentType?: AgentType | undefined
  /** Whether the reader is in the team of the profile. Default: false. */
  readonly isTeam?: boolean | undefined
}

/** The addresses that a part adds to the documents of a profile. */
export interface PartLinks {
  /** Members of `links` in JSON: absolute URLs by name. */
  readonly record?: Readonly<Record<string, string>>
  /** Members of `eep` in JSON. */
  readonly eep?: JsonObject
  /** Links in the header `Link`. */
  readonly header?: readonly Link[]
  /** The path, without a suffix, of a feed for feed readers. */
  readonly feedPath?: string | undefined
}

/**
 * What one module adds to the documents of profiles. The parts of a profile are read at the same time, under one version of its
 * gate. What fails is left out of the response and the error is logged, but an unavailable storage fails the whole read. A read
 * of a part of a host's module that takes longer than 5 seconds has failed.
 */
export interface ProfilePart<Item = unknown, With extends OptionalGroup = never> {
  /**
   * The member of the profile in JSON, and in `?fields=`. Unique among all parts; that of a host's module begins with the name of
   * the module and is not a member or section that profiles have themselves.
   */
  readonly key: string
  /** The section that it follows. Parts at the same place are in the order of their modules. */
  readonly after: ProfileSection
  /** The maximum number of items in documents. Items beyond it are ignored. */
  readonly limit: number
  /**
   * The name of the part in gates: `profile.files`. Visitors without access get documents without the part, and its key in `gated`.
   * Default: it cannot be gated.
   */
  readonly resource?: string
  /** Events that change the part and do not invalidate the profile themselves. */
  readonly invalidatedBy?: readonly EventDefinition[]
  /** The title of the section in the language of a page. Markdown has the English one. */
  title(page: PageLanguage): string
  /** Reads the items. They are cached with the profile, for all readers. */
  load(read: Readers<With>, profile: Profile, limit: number): Promise<readonly Item[]>
  /** Reads the items of several profiles for the dashboard of a team. Default: dashboards do not have the part. */
  loadMany?(
    read: Readers<With>,
    profiles: readonly Profile[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly Item[]>>
  /** How the items depend on the reader. Profiles then accept `agent_type`. Default: all readers see the same. */
  readonly forReaders?: {
    /** The items that a reader sees, in their order. None when it throws. */
    select(items: readonly Item[], reader: PartReader): readonly Item[]
    /** Whether only the team sees an item. True when it throws. */
    isForTeam(item: Item): boolean
  }
  /** The member in JSON. Default: none. */
  json?(items: readonly Item[], subject: PartSubject): Json
  /** The text of the section in Markdown, without its title. Nothing is written when it is empty. */
  markdown?(items: readonly Item[], subject: PartSubject): string
  /** The content of the section in HTML, without its title. */
  html?(items: readonly Item[], subject: PartSubject, site: Site): Html | false | undefined
  links?(items: readonly Item[], subject: PartSubject): PartLinks
  /** When an item changed, for `content_updated_at` of the freshness. Default: the part does not count. */
  updatedAt?(item: Item): Date
  /**
   * Reads what describes the module's events in the changelog of a profile. The function returns what the changelog shows about an
   * event; undefined for events of other modules, and for what is not public any more.
   */
  readChanges?(read: Readers<With>, subject: PartSubject): Promise<(event: StoredEvent) => JsonObject | undefined>
  /** Deletes items in the transaction that changes their profile. Returns the ids of those that existed. */
  deleteItems?(
    tx: Stores<With>,
    emit: Emit,
    owner: { readonly profileId: number; readonly accountId: string },
    ids: readonly number[],
  ): Promise<readonly number[]>
}

/** A part of profiles, and the module that adds it. */
export interface AddedPart {
  readonly part: ProfilePart<unknown, OptionalGroup>
  readonly module: string
  /** Whether another package defines the module. */
  readonly isOfHost: boolean
}
