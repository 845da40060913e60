import { z } from 'zod'

/** The classes of readers that a gate can name, besides `agent:<origin>` and `purpose:<purpose>`. */
export const AUDIENCES = ['people', 'browsers', 'verified_bots', 'search_engines', 'unverified'] as const

/** The class of a reader that gates can name. */
export type AudienceName = (typeof AUDIENCES)[number]

const PURPOSES: readonly string[] = ['purpose:search', 'purpose:training', 'purpose:user']
const AGENT = 'agent:'
const MAX_VALUES = 20

/** Whether a text is the origin of a key directory, or the exact URL of keys without a query. */
function isKeyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, pathname, href, username, password, search, hash } = new URL(text)
  if (protocol !== 'https:' || username || password || search || hash) return false
  return pathname === '/' ? text === origin : text === href
}

const isValue = (value: string): boolean =>
  (AUDIENCES as readonly string[]).includes(value) ||
  PURPOSES.includes(value) ||
  (value.startsWith(AGENT) && isKeyUrl(value.slice(AGENT.length)))

/** A list of audiences. */
export const audienceValues = z
  .array(
    z
      .string()
      .max(512)
      .refine(isValue, {
        error: `Must be one of ${[...AUDIENCES, ...PURPOSES].join(', ')}, or agent: with an https origin`,
      }),
  )
  .min(1)
  .max(MAX_VALUES)
  .refine((all) => new Set(all).size === all.length, 'Must not repeat a value')

/** A requirement that a reader belongs to an audience: to one of `any_of`, and to none of `none_of`. */
export const audienceRequirement = z.strictObject({
  type: z.literal('x-audience'),
  any_of: audienceValues,
  none_of: audienceValues.optional(),
})

/** A requirement that a reader belongs to a class of readers. */
export interface AudienceRequirement {
  readonly type: 'x-audience'
  /** The reader belongs to at least one of these. */
  readonly any_of: readonly string[]
  /** The reader belongs to none of these. */
  readonly none_of?: readonly string[] | undefined
}

/** The audiences that a reader belongs to: names, `agent:<origin>` and `purpose:<purpose>`. */
export type Audiences = ReadonlySet<string>

/** What a reader of one audience belongs to. A browser proves nothing, so it is unverified, too. */
export const membersOf = (name: AudienceName): Audiences =>
  new Set<AudienceName>(name === 'browsers' ? ['browsers', 'unverified'] : [name])

/** A reader of whom nothing is known. Documents that are the same for all readers are made for this one. */
export const UNVERIFIED: Audiences = new Set<AudienceName>(['unverified'])

/** Whether a reader of these audiences meets a requirement. */
export const isInAudience = ({ any_of: any, none_of: none = [] }: AudienceRequirement, audiences: Audiences): boolean =>
  any.some((value) => audiences.has(value)) && !none.some((value) => audiences.has(value))
