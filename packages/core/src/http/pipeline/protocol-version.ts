import { defineError } from '../../kernel/errors.ts'

/** The supported version of the entity engagement protocol. */
export const EEP_VERSION = '0.1'

export const versionNotSupported = defineError(
  'eep_version_not_supported',
  505,
  `This service supports EEP ${EEP_VERSION} only`,
  { form: 'version' },
)

/** Rejects clients that offer only unsupported versions (EEP v0.1, 3.1.1). */
export function checkVersion(header: string | string[] | undefined): void {
  if (header === undefined) return
  const wanted = String(header)
    .split(',')
    .map((version) => version.trim())
  if (wanted.includes(EEP_VERSION)) return
  const versions = {
    requested_version: String(header).slice(0, 64),
    supported_versions: [EEP_VERSION],
    preferred_version: EEP_VERSION,
  }
  const { code, message } = versionNotSupported
  throw versionNotSupported({ body: versions, terms: { detail: message, code, ...versions } })
}
