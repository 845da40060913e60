import type { Versioning } from '../../ports/storage/content.ts'

/** Which versions of a page or a document are kept. */
export interface VersionSettings {
  /** Saves of the same author within this time are one version; 0 makes each save a version. */
  readonly intervalSeconds: number
  /** How many versions are kept, the current one included. */
  readonly kept: number
}

/** How a save at a time changes the versions. `isKept` makes it a separate version, even shortly after another one. */
export function versioningOf(
  { intervalSeconds, kept }: VersionSettings,
  { at, isKept }: { readonly at: Date; readonly isKept: boolean },
): Versioning {
  const isSeparate = isKept || intervalSeconds === 0
  return {
    replaces: !isSeparate,
    replaceableUntil: isSeparate ? null : new Date(at.getTime() + intervalSeconds * 1_000),
    kept,
  }
}
