import type { CoreContext } from '../../../framework/module/context.ts'
import type { ResourceSource } from '../../../framework/module/resource-source.ts'
import type { GateableField } from '../../../model/gated-fields.ts'
import { fieldResource, PROFILE_FIELDS, PROFILE_RESOURCE } from '../../../model/profile-fields.ts'
import { type ProfileService, profilePath } from '../../profiles/profiles/index.ts'
import { resourceOf } from './open-profile.ts'

const OWN: readonly GateableField[] = PROFILE_FIELDS.map((field) => ({ field, resource: fieldResource(field) }))

/** A profile as a whole, its fields, and its parts that gates can name. */
export function profileResources(
  profiles: Pick<ProfileService, 'getDocument'>,
  { profileParts }: Pick<CoreContext, 'profileParts'>,
): readonly ResourceSource[] {
  const parts = profileParts.flatMap(({ part: { key: field, resource } }) =>
    resource === undefined ? [] : [{ field, resource }],
  )
  const fields = [...OWN, ...parts]
  const describe: ResourceSource['describe'] = async (name, { profile, caller }) => {
    const field = fields.find(({ resource }) => resource === name)
    if (!field && name !== PROFILE_RESOURCE) return undefined
    return resourceOf(await profiles.getDocument(profile.type, profile.username, caller), field)
  }
  return [
    {
      prefix: PROFILE_RESOURCE,
      nameOf: (path, profile) => (path === profilePath(profile) ? PROFILE_RESOURCE : undefined),
      describe,
    },
    ...parts
      .filter(({ resource }) => !resource.startsWith(`${PROFILE_RESOURCE}.`))
      .map(({ resource: prefix }) => ({ prefix, describe })),
  ]
}
