import type { Versioning } from '../../../ports/storage/content.ts'

/** Which versions of a page or a document are kept. */
export interface VersionSettings {
  /** Automatic saves of the same author within this time are one version; 0 makes each save a version. */
  readonly intervalSeconds: number
  /** How many versions are kept, the current one included. */
  readonly kept: number
}

/** How a save at a time changes the versions. Only automatic ones, as of an editor, are joined with each other. */
export function versioningOf(
  { intervalSeconds, kept }: VersionSettings,
  { at, isAutomatic }: { readonly at: Date; readonly isAutomatic: boolean },
): Versioning {
  return {
    replaces: isAutomatic && intervalSeconds > 0,
    replaceableUntil: isAutomatic ? new Date(at.getTime() + intervalSeconds * 1_000) : null,
    kept,
  }
}
