import type { GateConfig } from './gate-config.ts'
import { coveringTiers, isOpen } from './gate-rules.ts'
import { fieldResource } from './profile-fields.ts'

const RESOURCE = fieldResource('accent')

/** The color of a profile, unless its gate closes it to some readers; null without one. */
export function shownAccent(
  { accent }: { readonly accent: string | null },
  gates: GateConfig | null | undefined,
): string | null {
  if (accent === null || !gates) return accent
  return isOpen(gates, RESOURCE, coveringTiers(gates, RESOURCE)) ? accent : null
}
