import { type ProfilePrefix, type ProfileType, TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import { profileNotFound } from './errors.ts'

/** The type of a prefix in a path; undefined for an unknown prefix. */
export function typeOf(prefix: string): ProfileType {
  if (!Object.hasOwn(TYPE_BY_PREFIX, prefix)) throw profileNotFound()
  return TYPE_BY_PREFIX[prefix as ProfilePrefix]
}
