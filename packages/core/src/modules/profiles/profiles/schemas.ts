import { z } from 'zod'
import { listQuery, pagination } from '../../../http/documents/lists.ts'
import { formatQuery } from '../../../http/documents/negotiation.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { line, prose } from '../../../kernel/text-fields.ts'
import { AGENT_TYPES } from '../../../model/agent-type.ts'
import { PROFILE_FIELDS } from '../../../model/profile-fields.ts'
import { PROFILE_PREFIXES, PROFILE_TYPES, type ProfileType } from '../../../model/profile-type.ts'
import { jsonObject, secureUrl, unique, webUrl } from '../../../model/profile-values.ts'
import { schemaPath, type TypeData } from '../../../model/type-data/index.ts'
import { CAPABILITIES } from './capabilities.ts'
import { usernameSchema } from './username.ts'

const HANDLE = /^@?[\p{L}\p{N}_][\p{L}\p{N}_.@/-]{0,127}$/u

const socials = z
  .record(
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/, 'The name of a network'),
    z.union([secureUrl, z.string().regex(HANDLE)], { error: 'An https:// address or a handle' }),
  )
  .refine((map) => Object.keys(map).length <= 30, 'At most 30 networks')

const tags = z.array(line(64)).max(50)

const accent = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a color such as #1f5f4f')
  .toLowerCase()

export const VISIBILITIES = ['public', 'unlisted', 'private'] as const
const visibility = z.enum(VISIBILITIES)

/** The editable fields of all types. Null clears a text. */
export const editable = {
  full_name: line(128).nullable().optional(),
  bio: prose(5000).nullable().optional(),
  avatar_url: webUrl.nullable().optional(),
  cover_url: webUrl.nullable().optional().describe('A wide picture above the profile'),
  accent: accent
    .nullable()
    .optional()
    .describe('The color of links and buttons. Pages make it darker or lighter until text in it can be read'),
  email: emailAddress.nullable().optional(),
  skills: tags.optional(),
  socials: socials.optional(),
  keywords: tags.optional(),
  agent_instructions: prose(10_000).nullable().optional(),
  agent_rules: prose(10_000).nullable().optional(),
  capabilities: z.array(z.enum(CAPABILITIES)).refine(unique, 'Each at most once').optional(),
  custom_fields: jsonObject.optional().describe('Replaces all custom fields'),
  visibility: visibility.optional(),
}

/** The body of `POST /profiles`: the type decides what `type_data` may hold. */
export function newProfileBody(typeData: TypeData, publicUrl: string) {
  const bodyOf = <Type extends ProfileType>(type: Type) =>
    z.strictObject({
      profile_type: z.literal(type),
      username: usernameSchema,
      type_data: typeData[type].optional().meta({ externalDocs: { url: publicUrl + schemaPath(type) } }),
      ...editable,
    })
  return z.discriminatedUnion('profile_type', [
    bodyOf('person'),
    bodyOf('organization'),
    bodyOf('place'),
    bodyOf('asset'),
    bodyOf('product'),
    bodyOf('knowledge'),
    bodyOf('agent'),
    bodyOf('event'),
    bodyOf('custom'),
  ])
}

/** The body of `PUT /profiles/{prefix}/{username}`. `type_data` is checked once the type is known. */
export const profileChangesBody = z.strictObject({
  username: usernameSchema.optional().describe('A new username; the former one redirects for 30 days'),
  ...editable,
  type_data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Members as defined by the schema of the type (`/schemas/profiles`): given members replace the stored ones, null removes a member, all others are kept',
    ),
  files_to_delete: z.array(z.int().min(1)).max(100).optional(),
})

export type ProfileChangesBody = z.output<typeof profileChangesBody>

const prefix = z.string().meta({ enum: PROFILE_PREFIXES })

/** A profile in a path. A prefix or username that cannot exist returns 404, not 400. */
export const profileParams = z.object({ prefix, username: z.string() })
export const usernameParams = z.object({ username: z.string() })

const FIELD_NAMES: readonly string[] = [...PROFILE_FIELDS, 'id', 'did', 'profile_type', 'username', 'full_name']

/** The fields that a read of a profile must return, comma-separated. `parts` are the keys of its gateable parts. */
function fieldsQuery(parts: readonly string[]) {
  const fieldNames = [...new Set([...FIELD_NAMES, ...parts])]
  return {
    fields: z
      .string()
      .max(512)
      .transform((names) => names.split(',').map((name) => name.trim()))
      .refine(
        (names) => names.every((name) => fieldNames.includes(name)),
        `Fields of a profile: ${fieldNames.join(', ')}`,
      )
      .optional()
      .describe('Required fields, comma-separated: 402 when one of them is gated'),
  }
}

/** The query of the public address of a profile. */
export const profileQuery = (parts: readonly string[]) => formatQuery.extend(fieldsQuery(parts))
/** The query of a profile that is read as JSON. */
export const recordQuery = (parts: readonly string[]) => z.object(fieldsQuery(parts))

export const checkUsernameQuery = z.object({ username: usernameSchema, type: z.enum(PROFILE_TYPES).optional() })

const record = z.record(z.string(), z.unknown())

/** A section of a profile. */
export const smartSection = z
  .object({
    key: z.string(),
    title: z.string(),
    body: z.string(),
    agent_types: z.array(z.enum(AGENT_TYPES)),
    position: z.int(),
    visibility: z.enum(['public', 'team']),
  })
  .meta({ id: 'SmartSection' })

const gated = z
  .array(z.object({ field: z.string().meta({ examples: [...PROFILE_FIELDS] }), tiers: z.array(z.string()) }))
  .optional()
  .describe('The fields that are omitted because of the gate, and the tiers that open each')

/** A profile as JSON. Fields that the gate closes to the caller are left out and named in `gated`. */
export const profileRecord = z
  .object({
    id: z.int(),
    did: z.string(),
    profile_type: z.enum(PROFILE_TYPES),
    username: z.string(),
    full_name: z.string().nullable(),
    bio: z.string().nullable().optional(),
    avatar_url: z.string().nullable().optional(),
    cover_url: z.string().nullable().optional(),
    accent: z.string().nullable().optional().describe('The color of its pages, as `#rrggbb`'),
    email: z.string().nullable().optional().describe('For the owner only'),
    skills: z.array(z.string()).optional(),
    socials: z.record(z.string(), z.string()).optional(),
    keywords: z.array(z.string()).optional(),
    agent_instructions: z.string().nullable().optional(),
    agent_rules: z.string().nullable().optional(),
    capabilities: z.array(z.string()).optional(),
    custom_fields: record.optional(),
    type_data: record.optional(),
    files: z
      .array(
        z.object({
          id: z.int(),
          filename: z.string(),
          content_type: z.string(),
          size: z.int(),
          url: z.string(),
          created_at: z.string(),
        }),
      )
      .optional()
      .describe('The newest files; `/files/list/{prefix}/{slug}` has all'),
    feed: z
      .array(z.object({ id: z.int(), url: z.string(), body: z.string(), created_at: z.string() }))
      .optional()
      .describe('The newest posts; `/feed/{prefix}/{username}` has all. Missing in services without a feed'),
    smart_sections: z
      .array(smartSection)
      .optional()
      .describe('Sections for the type of the agent, then those for every agent. Missing in services without them'),
    visibility,
    trust_score: z.int().min(0).max(100).describe('`/trust/{prefix}/{username}` has its parts'),
    created_at: z.string(),
    updated_at: z.string(),
    gated,
    // Modules of the host may add members to it.
    eep: z.looseObject({
      version: z.string(),
      endpoint: z.string(),
      supported_delivery: z.array(z.string()),
      supported_event_types: z.array(z.string()),
      identity: z.object({ did: z.string(), verification_endpoint: z.string() }),
      gated: z.literal(true).optional(),
      gates_url: z.string().optional(),
      commerce: z.literal(true).optional(),
      services_url: z.string().optional(),
    }),
    links: z.record(z.string(), z.string()),
  })
  // The members that modules of the host add.
  .catchall(z.unknown())
  .meta({ id: 'Profile' })

export type ProfileRecord = z.input<typeof profileRecord>

export const freshness = z
  .object({
    did: z.string(),
    revision: z.string().describe('Changes with the profile, its contents and its gates'),
    updated_at: z.string(),
    content_updated_at: z.string().nullable(),
  })
  .meta({ id: 'Freshness' })

/** The query of a changelog. */
export const changelogQuery = listQuery.extend({
  ...formatQuery.shape,
  order: z.enum(['desc', 'asc']).default('desc').describe('Newest first, or oldest first'),
  since: z
    .union([z.uuid(), z.iso.datetime({ offset: true })], { error: 'The id of a change, or a moment in ISO 8601' })
    .optional()
    .describe('The id of a change or a time; only later changes are returned'),
})

/** What a change shows about its event. Modules of the host may add members. */
export const changeDetails = z.looseObject({
  fields: z.array(z.string()).optional(),
  page: z.object({ id: z.int(), title: z.string(), url: z.string() }).optional(),
})

export const changelog = z
  .object({
    data: z.array(
      changeDetails.extend({
        id: z.string(),
        type: z.string().describe('For example `profiles.profile_updated` or `content.page_saved`'),
        at: z.string(),
      }),
    ),
    pagination,
  })
  .meta({ id: 'Changelog' })

export const didDocument = z.looseObject({ id: z.string(), controller: z.string() }).meta({ id: 'DidDocument' })
