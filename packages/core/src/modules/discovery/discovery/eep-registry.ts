import { z } from 'zod'
import type { Settings } from '../../../framework/options/options.ts'
import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'

/** The registry that a service operates, as its host describes it. */
export type RegistryOptions = NonNullable<Settings['discovery']['registry']>

const names = z.array(z.string()).optional()

/** The description of a registry (EEP v0.1, `eep-registry.json`). */
export const registrySchema = z
  .strictObject({
    did: z.string(),
    registry_name: z.string().max(128),
    scope: z.strictObject({ geography: names, sectors: names, capabilities: names }),
    conformance_tier_required: z.enum(['Core', 'Standard', 'Full']),
    federation_credential_url: z.url(),
    registry_url: z.url().optional(),
    cross_registry_resolution_url: z.url().optional(),
    eep_version: z.string(),
  })
  .meta({ id: 'Registry' })

export const registryOf = (registry: RegistryOptions, did: string): z.input<typeof registrySchema> => {
  const { scope, registryUrl, crossRegistryResolutionUrl } = registry
  const { geography, sectors, capabilities } = scope
  return {
    did,
    registry_name: registry.name,
    scope: {
      ...(geography && { geography: [...geography] }),
      ...(sectors && { sectors: [...sectors] }),
      ...(capabilities && { capabilities: [...capabilities] }),
    },
    conformance_tier_required: registry.conformanceTierRequired,
    federation_credential_url: registry.federationCredentialUrl,
    ...(registryUrl !== undefined && { registry_url: registryUrl }),
    ...(crossRegistryResolutionUrl !== undefined && { cross_registry_resolution_url: crossRegistryResolutionUrl }),
    eep_version: EEP_VERSION,
  }
}
