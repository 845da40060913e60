import { PROFILE_RESOURCE } from '../../../model/profile-fields.ts'
import { resourceOf } from './search-documents.ts'
import { pathOf } from './serialize.ts'
import type { FoundSource } from './service.ts'

/** A result as it is reported to the team of its profile. */
export function accessedSource({ source, hit }: FoundSource) {
  const resource = source.kind === 'profile' ? PROFILE_RESOURCE : (resourceOf(source) ?? null)
  const hasWords = hit.matched.some((match) => match !== 'semantic')
  return { profile: source.profile, resource, path: pathOf(source), hasWords }
}
