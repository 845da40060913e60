import type { ProfilePart, ProfilePartKey, ProfilePartValues } from '../../../framework/module/profile-part.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { type OptionalGroup, type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'

/** The parts of a profile by their keys. Those of modules that are off, and those that failed, are missing. */
export type ReadParts = { readonly [Key in ProfilePartKey]?: ProfilePartValues[Key] }

export interface PartReaderDeps {
  readonly read: Readers
  readonly parts: readonly ProfilePart<OptionalGroup>[]
  /** Receives the error of a part that is left out. */
  readonly onError: (error: unknown) => void
}

/**
 * Creates the reader of what modules add to a profile. `isComplete` is false when a part was left out because it failed.
 *
 * @throws TypeError when two modules add a part with the same key
 */
export function createPartReader({ read, parts, onError }: PartReaderDeps) {
  const keys = parts.map(({ key }) => key)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw new TypeError(`Two modules add the part "${twice}" to profiles`)

  return async (profileId: number): Promise<{ readonly parts: ReadParts; readonly isComplete: boolean }> => {
    const loaded = await Promise.all(
      parts.map(async (part) => {
        try {
          // A module is on only when the storage has its groups.
          return [part.key, await part.load(read as Readers<OptionalGroup>, profileId)] as const
        } catch (error) {
          if (isEepError(error) && error.code === storageUnavailable.code) throw error
          onError(error)
          return undefined
        }
      }),
    )
    const found = loaded.filter((each) => each !== undefined)
    // Each key has the value that its part loads.
    return { parts: Object.fromEntries(found) as ReadParts, isComplete: found.length === loaded.length }
  }
}
