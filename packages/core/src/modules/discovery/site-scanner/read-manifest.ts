import type { z } from 'zod'
import { eepManifest } from './eep-documents.ts'
import { type Finding, fail, skip } from './rule.ts'
import { jsonOf, type Site } from './site.ts'

/** The manifest of EEP, or what a rule that needs it finds without one. */
export type ManifestReading =
  | { readonly manifest: z.output<typeof eepManifest>; readonly finding?: undefined }
  | { readonly manifest?: undefined; readonly finding: Finding }

/** Reads `/.well-known/eep.json`. A site without a manifest does not take part in EEP. */
export async function readManifest(site: Site): Promise<ManifestReading> {
  const answer = await site.get('/.well-known/eep.json')
  if (answer.is !== 'answer') return { finding: skip(answer.reason) }
  if (answer.status !== 200) return { finding: skip('The site has no manifest of EEP.') }
  const parsed = eepManifest.safeParse(jsonOf(answer))
  return parsed.success ? { manifest: parsed.data } : { finding: fail('The manifest of EEP is not valid.') }
}
