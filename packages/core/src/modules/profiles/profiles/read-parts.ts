import type { AddedPart } from '../../../framework/module/profile-part.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { OptionalGroup, Readers } from '../../../ports/storage/storage.ts'
import { type OnPartFailure, safePart } from './safe-part.ts'
import type { LoadedPart } from './view.ts'

export interface PartReaderDeps {
  readonly read: Readers
  readonly parts: readonly AddedPart[]
  /** Receives the error of a part that is left out. */
  readonly onPartFailure: OnPartFailure
}

/** The parts of a profile that could be read. */
export interface ReadParts {
  readonly parts: readonly LoadedPart[]
  /** Whether a part failed so far, while it was read or written. */
  hasFailed(): boolean
}

/** Creates the reader of what modules add to a profile. */
export function createPartReader({ read, parts, onPartFailure }: PartReaderDeps) {
  // A module is on only when the storage has its groups.
  const readers = read as Readers<OptionalGroup>

  return async (profile: Profile): Promise<ReadParts> => {
    const safe = parts.map((part) => safePart(part, onPartFailure))
    const loaded = await Promise.all(safe.map(async (part) => ({ part, items: await part.load(readers, profile) })))
    return {
      parts: loaded.flatMap(({ part, items }) => (items ? [{ part, items }] : [])),
      hasFailed: () => safe.some((part) => part.hasFailed()),
    }
  }
}
