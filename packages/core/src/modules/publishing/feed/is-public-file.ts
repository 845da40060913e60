import type { GateConfig } from '../../../model/gate-config.ts'
import { coveringTiers, isOpen } from '../../../model/gate-rules.ts'
import { resourceName } from '../../../model/resource-name.ts'

/** Whether everyone may read a file of a profile with these gates. */
export function isPublicFile(gates: GateConfig | null | undefined, fileId: number): boolean {
  if (!gates) return true
  const resource = resourceName('files', [`f${fileId}`])
  return isOpen(gates, resource, coveringTiers(gates, resource))
}
