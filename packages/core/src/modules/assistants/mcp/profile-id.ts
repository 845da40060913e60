import { PROFILE_TYPES, type ProfilePrefix, TYPE_BY_PREFIX } from '../../../model/profile-type.ts'
import type { Profile, ProfileName } from '../../../ports/storage/profiles.ts'
import type { ProfileIdOf } from './tools/route-tools.ts'

const isPrefix = (text: string): text is ProfilePrefix => Object.hasOwn(TYPE_BY_PREFIX, text)

/** Finds the profile that an argument names: an id, a username, or a path such as `u/ada`. */
export const createProfileIds =
  (get: (name: ProfileName) => Promise<Profile | undefined>): ProfileIdOf =>
  async (named) => {
    if (/^\d{1,15}$/.test(named)) return Number(named)
    const [first = '', second] = named.replace(/^\//, '').split('/')
    if (second !== undefined)
      return isPrefix(first) ? (await get({ type: TYPE_BY_PREFIX[first], username: second }))?.id : undefined
    for (const type of PROFILE_TYPES) {
      const profile = await get({ type, username: first })
      if (profile) return profile.id
    }
    return undefined
  }
