import type { ReadinessCheck } from './define-module.ts'

/** The check of a part that a host configured, if it can be checked. */
export const readinessChecks = (
  name: string,
  part: { ping?(): Promise<unknown> } | undefined,
): readonly ReadinessCheck[] => (part?.ping ? [{ name, ping: async () => part.ping?.() }] : [])
