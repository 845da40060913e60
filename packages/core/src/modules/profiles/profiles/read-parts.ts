import type { ProfilePart } from '../../../framework/module/profile-part.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type OptionalGroup, type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import type { LoadedPart } from './view.ts'

export interface PartReaderDeps {
  readonly read: Readers
  readonly parts: readonly ProfilePart<unknown, OptionalGroup>[]
  /** Receives the error of a part that is left out. */
  readonly onError: (error: unknown) => void
}

/** Creates the reader of what modules add to a profile. `isComplete` is false when a part was left out because it failed. */
export function createPartReader({ read, parts, onError }: PartReaderDeps) {
  // A module is on only when the storage has its groups.
  const readers = read as Readers<OptionalGroup>

  return async (profile: Profile): Promise<{ readonly parts: readonly LoadedPart[]; readonly isComplete: boolean }> => {
    const loaded = await Promise.all(
      parts.map(async (part) => {
        try {
          return { part, items: (await part.load(readers, profile, part.limit)).slice(0, part.limit) }
        } catch (error) {
          if (isEepError(error) && error.code === storageUnavailable.code) throw error
          onError(error)
          return undefined
        }
      }),
    )
    const complete = loaded.filter((each) => each !== undefined)
    return { parts: complete, isComplete: complete.length === loaded.length }
  }
}
