import type { GateConfig } from './gate-config.ts'
import { coveringTiers, isOpen } from './gate-rules.ts'
import { resourceName } from './resource-name.ts'

/** Whether everyone may read a file of a profile with these gates. */
export function isPublicFile(gates: GateConfig | null | undefined, fileId: number): boolean {
  if (!gates) return true
  const resource = resourceName('files', [`f${fileId}`])
  return isOpen(gates, resource, coveringTiers(gates, resource))
}
