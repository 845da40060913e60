import type { CatalogueNotice } from '@eep/core/ports'
import type { ExtensionResponses } from './facilitator.ts'

/** Longer headers are ignored. */
const MAX_HEADER = 8_192
const MAX_REASON = 200
const STATUSES = ['success', 'processing', 'rejected'] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the header `EXTENSION-RESPONSES`: a JSON object in base64. Undefined when it is absent, too long or malformed. */
export function readExtensionResponses(header: string | null): ExtensionResponses | undefined {
  if (header === null || header.length > MAX_HEADER) return undefined
  try {
    const responses: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    return isRecord(responses) ? responses : undefined
  } catch {
    return undefined
  }
}

/** What the catalogue of a facilitator did with a resource; undefined when its responses do not say. */
export function catalogueNoticeIn({ bazaar }: ExtensionResponses): CatalogueNotice | undefined {
  if (!isRecord(bazaar)) return undefined
  const status = STATUSES.find((one) => one === bazaar.status)
  if (status === undefined) return undefined
  const given = bazaar.rejectedReason ?? bazaar.reason
  const reason = typeof given === 'string' && given !== '' ? given.slice(0, MAX_REASON) : undefined
  return reason === undefined ? { status } : { status, reason }
}
