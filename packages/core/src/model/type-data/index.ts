import { z } from 'zod'
import { PROFILE_TYPES, type ProfileType } from '../profile-type.ts'
import { agentData } from './agent.ts'
import { assetData } from './asset.ts'
import { customData } from './custom.ts'
import { eventData } from './event.ts'
import { extended } from './extended.ts'
import { knowledgeData } from './knowledge.ts'
import { organizationData } from './organization.ts'
import { personData } from './person.ts'
import { placeData } from './place.ts'
import { productData } from './product.ts'

/** The schema of `type_data` for each type. All members are optional; unknown members are rejected. */
const TYPE_DATA = {
  person: personData,
  organization: organizationData,
  place: placeData,
  asset: assetData,
  product: productData,
  knowledge: knowledgeData,
  agent: agentData,
  event: eventData,
  custom: customData,
} as const satisfies Record<ProfileType, z.ZodObject>

/** The schema of `type_data` by type, with the additions of the host. */
export type TypeData = Readonly<Record<ProfileType, z.ZodType<object>>>

/** The additions of a host to `type_data`: a zod 4 object schema per type. */
export type TypeDataExtensions = { readonly [Type in ProfileType]?: z.core.$ZodObject | undefined }

/**
 * Returns the schemas with the additions of a host.
 *
 * @throws TypeError that names the type whose addition replaces a built-in member or cannot be expressed as JSON Schema
 */
export const typeDataWith = (extensions: TypeDataExtensions): TypeData =>
  // The type of `Object.fromEntries` loses the keys. There is an entry for each type.
  Object.fromEntries(
    PROFILE_TYPES.map((type) => {
      const extension = extensions[type]
      return [type, extension ? extended(type, TYPE_DATA[type], extension) : TYPE_DATA[type]]
    }),
  ) as unknown as TypeData

/** The path of the JSON Schema of a type. */
export const schemaPath = (type: ProfileType): string => `/schemas/profiles/${type}.json`

/** The schema of `type_data` of a type as JSON Schema (2020-12). Its `$id` is its public URL. */
export const jsonSchemaOf = (typeData: TypeData, type: ProfileType, publicUrl: string) => {
  const { $schema, ...schema } = z.toJSONSchema(typeData[type], { io: 'input' })
  return {
    $schema,
    $id: publicUrl + schemaPath(type),
    title: `type_data of a profile of the type ${type}`,
    description:
      'Updates of a profile are merged by member: a value replaces the stored one completely, null removes it, and omitted members are kept.',
    ...schema,
  }
}
