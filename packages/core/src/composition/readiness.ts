import type { Settings } from '../options.ts'

/** Asks everything outside of this process whether it can be used, and tells what cannot. */
export async function troublesOf({ storage, blobs, billing, rails, logger }: Settings) {
  const parts: readonly (readonly [string, { ping?(): Promise<void> } | undefined])[] = [
    ['storage', storage],
    ['files', blobs],
    ['billing', billing],
    ...rails.map((rail) => [rail.id, rail] as const),
  ]
  const found = await Promise.all(
    parts.map(async ([name, part]) => {
      try {
        await part?.ping?.()
        return []
      } catch (error) {
        logger?.warn({ err: error, part: name }, 'not ready')
        return [[name, 'unavailable'] as const]
      }
    }),
  )
  return Object.fromEntries(found.flat())
}
